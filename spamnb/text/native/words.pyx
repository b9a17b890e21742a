"""Text → words; twin of `spamnb.text.words.FullSplitter`.

A word is a range of the lower-cased text, and its fingerprint.  Characters are read by index: each
loop compares it with the length n, or with the end of a word, which is not beyond it; `Words` grows
before a word is written past its room.
"""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint32_t, uint64_t

from spamnb.native.characters cimport (
    PyUnicode_READ,
    Py_UNICODE_ISDECIMAL,
    is_character_script,
    is_han,
    is_kana,
    is_white,
    is_word,
)
from spamnb.text.native.fingerprints cimport Base, n_bytes, spelled

from spamnb.text.words import LONGEST_WORD

cdef Py_ssize_t _LONGEST_WORD = LONGEST_WORD
cdef uint32_t _FIRST_UNSPACED = 0x0E00


cdef class Words:
    """The words of a text, in order."""

    def __cinit__(self, str text not None):
        self.text = text
        self.kind = PyUnicode_KIND(text)
        self.data = PyUnicode_DATA(text)

    def __dealloc__(self):
        PyMem_Free(self.items)

    def __len__(self):
        return self.n

    cdef int append(self, Py_ssize_t start, Py_ssize_t end, Base base) except -1:
        """Add the word from ``start`` to ``end`` in the text."""
        cdef Word* items
        cdef Word* word
        cdef uint64_t key = 0, number = base.number
        cdef Py_ssize_t i, size = 0
        cdef uint32_t c
        cdef bint has_digit = False, has_colon = False
        if self.n == self.room:
            items = <Word*> PyMem_Realloc(self.items, 2 * (self.room + 64) * sizeof(Word))
            if items == NULL:
                raise MemoryError
            self.items = items
            self.room = 2 * (self.room + 64)
        for i in range(start, end):
            c = PyUnicode_READ(self.kind, self.data, i)
            if c < 0x80:
                key = key * number + c + 1
                size += 1
                has_digit |= 48 <= c <= 57
                has_colon |= c == 58
            else:
                key = spelled(key, number, c)
                size += n_bytes(c)
                has_digit |= Py_UNICODE_ISDECIMAL(c)
        word = &self.items[self.n]
        word.start, word.end, word.key, word.power = start, end, key, base.power(size)
        word.has_digit, word.has_colon = has_digit, has_colon
        self.n += 1
        return 0

    cdef str word(self, Py_ssize_t number):
        return self.text[self.items[number].start : self.items[number].end]


cdef class Splitter:
    """Splits texts.

    Parameters
    ----------
    base : Base
        Of the fingerprints.
    segment : callable
        Splits a run of Chinese characters.
    stop_words : frozenset of str
        Words to leave out.
    """

    def __init__(self, Base base not None, segment, frozenset stop_words not None=frozenset()):
        self.base = base
        self.segment = segment
        self.stop_words = stop_words

    def words(self, str text not None):
        """Return the words of a text, as `FullSplitter` does."""
        words = self.split(text)
        return [words.word(number) for number in range(words.n)]

    cdef Words whole(self, list tokens):
        """Return tokens as words, unsplit."""
        cdef Words words = Words("".join(tokens))
        cdef Py_ssize_t start = 0
        cdef str token
        for token in tokens:
            words.append(start, start + PyUnicode_GET_LENGTH(token), self.base)
            start += PyUnicode_GET_LENGTH(token)
        return words

    cdef Words split(self, str text):
        cdef Words words = Words(text.lower())
        cdef Py_ssize_t i = 0, start, n = PyUnicode_GET_LENGTH(words.text)
        cdef int kind = words.kind
        cdef void* data = words.data
        cdef uint32_t c
        cdef object segment = None
        cdef bint by_script = False
        if kind > 1 and _has_unspaced(words):
            by_script = True
            segment = list if _is_japanese(words) else self.segment
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            start = i
            i += 1
            # \$?\w[\w'$-]*!*
            if is_word(c) or (c == 36 and i < n and is_word(PyUnicode_READ(kind, data, i))):
                while i < n:
                    c = PyUnicode_READ(kind, data, i)
                    if not (is_word(c) or c == 36 or c == 39 or c == 45):
                        break
                    i += 1
                while i < n and PyUnicode_READ(kind, data, i) == 33:
                    i += 1
            elif is_white(c):
                continue
            else:  # [^\w\s]+
                while i < n:
                    c = PyUnicode_READ(kind, data, i)
                    if is_word(c) or is_white(c):
                        break
                    i += 1
            if by_script:
                self._add_by_script(words, start, i, segment)
            else:
                self._add(words, start, i)
        return words

    cdef int _add(self, Words words, Py_ssize_t start, Py_ssize_t end) except -1:
        if end - start > _LONGEST_WORD:
            return 0
        if self.stop_words and words.text[start:end] in self.stop_words:
            return 0
        return words.append(start, end, self.base)

    cdef int _add_by_script(
        self, Words words, Py_ssize_t start, Py_ssize_t end, object segment
    ) except -1:
        """Add the parts of a word that may be of several scripts."""
        cdef Py_ssize_t i = start, run
        cdef int script
        while i < end:
            run = i
            script = _script(PyUnicode_READ(words.kind, words.data, i))
            while i < end and _script(PyUnicode_READ(words.kind, words.data, i)) == script:
                i += 1
            if script == 0:
                self._add(words, run, i)
            elif script == 1 and segment is not list:
                self._add_segments(words, run, i, segment)
            else:
                for run in range(run, i):
                    self._add(words, run, run + 1)
        return 0

    cdef int _add_segments(
        self, Words words, Py_ssize_t start, Py_ssize_t end, object segment
    ) except -1:
        """Add the words of a run of Chinese characters; they may end before the run does."""
        cdef Py_ssize_t size
        for part in segment(words.text[start:end]):
            size = len(part)
            if start + size > end:
                raise ValueError(part)
            self._add(words, start, start + size)
            start += size
        return 0


cdef inline int _script(uint32_t c) noexcept nogil:
    if c < _FIRST_UNSPACED:
        return 0
    return 1 if is_han(c) else 2 if is_character_script(c) else 0


cdef bint _has_unspaced(Words words) noexcept:
    cdef Py_ssize_t i
    for i in range(PyUnicode_GET_LENGTH(words.text)):
        if _script(PyUnicode_READ(words.kind, words.data, i)):
            return True
    return False


cdef bint _is_japanese(Words words) noexcept:
    cdef Py_ssize_t i, n_kana = 0, n_han = 0
    cdef uint32_t c
    for i in range(PyUnicode_GET_LENGTH(words.text)):
        c = PyUnicode_READ(words.kind, words.data, i)
        n_kana += is_kana(c)
        n_han += is_han(c)
    return n_kana > 0 and 4 * n_kana > n_han
