cpdef list disguised_words(str text)
