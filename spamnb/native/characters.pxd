from libc.stdint cimport uint32_t, uint64_t


cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(uint32_t c) noexcept nogil
    bint Py_UNICODE_ISALPHA(uint32_t c) noexcept nogil
    bint Py_UNICODE_ISDECIMAL(uint32_t c) noexcept nogil
    bint Py_UNICODE_ISDIGIT(uint32_t c) noexcept nogil
    bint Py_UNICODE_ISUPPER(uint32_t c) noexcept nogil
    bint Py_UNICODE_ISSPACE(uint32_t c) noexcept nogil
    # Not checked, unlike an index of a str, and several times as fast.  The bound of a place is
    # always the text's own length, n or the ends of a word in it, and the text is held meanwhile.
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t i) noexcept nogil


# ASCII is told by a set of bits, from "@" on or before it: without branches.

# What `re` takes for \w, what of that is a letter ([^\W\d_]), and \s.
cdef inline bint is_word(uint32_t c) noexcept nogil:
    if c < 0x80:
        return (<uint64_t> 0x07FFFFFE87FFFFFE if c & 64 else <uint64_t> 0x03FF000000000000) >> (c & 63) & 1
    return Py_UNICODE_ISALNUM(c)


cdef inline bint is_letter(uint32_t c) noexcept nogil:
    if c < 0x80:
        return (<uint64_t> 0x07FFFFFE07FFFFFE if c & 64 else <uint64_t> 0) >> (c & 63) & 1
    return Py_UNICODE_ISALNUM(c) and not Py_UNICODE_ISDECIMAL(c)


cdef inline bint is_alpha(uint32_t c) noexcept nogil:
    if c < 0x80:
        return (<uint64_t> 0x07FFFFFE07FFFFFE if c & 64 else <uint64_t> 0) >> (c & 63) & 1
    return Py_UNICODE_ISALPHA(c)


cdef inline bint is_white(uint32_t c) noexcept nogil:
    if c < 0x80:
        return (<uint64_t> 0 if c & 64 else <uint64_t> 0x1F0003E00) >> (c & 63) & 1
    return Py_UNICODE_ISSPACE(c)


# Twins of the classes of `spamnb.text.tokenizers` and `spamnb.text.words`.
cdef inline bint is_han(uint32_t c) noexcept nogil:
    return (
        0x4E00 <= c <= 0x9FFF or 0x3400 <= c <= 0x4DBF or 0xF900 <= c <= 0xFAFF
        or 0x20000 <= c <= 0x3FFFF
    )


cdef inline bint is_kana(uint32_t c) noexcept nogil:
    return 0x3040 <= c <= 0x30FF


cdef inline bint is_character_script(uint32_t c) noexcept nogil:
    return (
        0x0E00 <= c <= 0x0EFF or 0x1000 <= c <= 0x109F or 0x1780 <= c <= 0x17FF
        or 0x1100 <= c <= 0x11FF or 0x3040 <= c <= 0x30FF or 0x3130 <= c <= 0x318F
        or 0x31F0 <= c <= 0x31FF or 0xAC00 <= c <= 0xD7AF or 0xFF66 <= c <= 0xFF9F
    )
