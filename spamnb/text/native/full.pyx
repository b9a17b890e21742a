"""The tokens of text, twin of `spamnb.text.full.text_tokens`: as fingerprints, or as they are."""

from cpython.unicode cimport PyUnicode_GET_LENGTH
from libc.stdint cimport uint32_t, uint64_t

from spamnb.native_characters cimport PyUnicode_READ, Py_UNICODE_ISDECIMAL
from spamnb.native_keys cimport Base, Keys, spelled
from spamnb.text.native.letters cimport disguised_words
from spamnb.text.native.words cimport Splitter, Word, Words

from spamnb.features.groups import BODY
from spamnb.text.full import (
    CHARS_WITHIN,
    LONGEST_SHAPE,
    MIXED_SCRIPT,
    N_CHARS,
    N_LAST,
    SHAPES,
)
from spamnb.text.letters import folded_text, is_mixed_script, normalised

cdef Py_ssize_t _CHARS_WITHIN = CHARS_WITHIN
cdef Py_ssize_t _LONGEST_SHAPE = LONGEST_SHAPE
cdef Py_ssize_t _N_CHARS = N_CHARS
cdef Py_ssize_t _N_LAST = N_LAST


cdef class Found:
    """What is found in the text of a mail, token by token."""

    cdef int word(self, Words words, Py_ssize_t i) except -1:
        """Add a word of the body."""
        raise NotImplementedError

    cdef int subject_word(self, Words words, Py_ssize_t i) except -1:
        """Add a word of the subject."""
        raise NotImplementedError

    cdef int pair(self, Words words, Py_ssize_t i) except -1:
        """Add a word with the one after it."""
        raise NotImplementedError

    cdef int run(self, Words words, Py_ssize_t start) except -1:
        """Add the four letters that begin somewhere in the text."""
        raise NotImplementedError

    cdef int last_word(self, Words words, Py_ssize_t i) except -1:
        """Add one of the last words."""
        raise NotImplementedError

    cdef int shape(self, Words words, Py_ssize_t i) except -1:
        """Add a word with its digits as 0."""
        raise NotImplementedError

    cdef int mixed(self) except -1:
        """Add that there are words in letters of two scripts."""
        raise NotImplementedError


cdef class TextKeys(Found):
    """The fingerprints of the tokens of each group of a text.

    Those of the body are in two: words, and runs of signs that hold a colon, which are not counted
    as words.  ``odd`` are the tokens of the group ``word``.
    """

    def __init__(self, Base base not None):
        self.base = base
        self.words, self.signs, self.subject = Keys(), Keys(), Keys()
        self.pairs, self.chars, self.end, self.shapes = Keys(), Keys(), Keys(), Keys()
        self.odd = []
        self.subject_prefix, self.pair_prefix = base.key("subject:"), base.key("pair:")
        self.run_prefix, self.end_prefix = base.key("char:"), base.key("end:")
        self.shape_prefix = base.key("shape:")

    cdef int word(self, Words words, Py_ssize_t i) except -1:
        if words.items[i].has_colon:
            return self.signs.append(words.items[i].key)
        return self.words.append(words.items[i].key)

    cdef int subject_word(self, Words words, Py_ssize_t i) except -1:
        return self.subject.append(self.subject_prefix * words.items[i].power + words.items[i].key)

    cdef int pair(self, Words words, Py_ssize_t i) except -1:
        cdef Word* left = &words.items[i]
        cdef Word* right = &words.items[i + 1]
        cdef uint64_t key = (self.pair_prefix * left.power + left.key) * self.base.number + 32 + 1
        return self.pairs.append(key * right.power + right.key)

    cdef int run(self, Words words, Py_ssize_t start) except -1:
        cdef uint64_t key = self.run_prefix
        cdef Py_ssize_t i
        for i in range(start, start + _N_CHARS):
            key = spelled(key, self.base.number, PyUnicode_READ(words.kind, words.data, i))
        return self.chars.append(key)

    cdef int last_word(self, Words words, Py_ssize_t i) except -1:
        return self.end.append(self.end_prefix * words.items[i].power + words.items[i].key)

    cdef int shape(self, Words words, Py_ssize_t i) except -1:
        cdef uint64_t key = self.shape_prefix
        cdef uint32_t c
        cdef Py_ssize_t place
        for place in range(words.items[i].start, words.items[i].end):
            c = PyUnicode_READ(words.kind, words.data, place)
            key = spelled(key, self.base.number, 48 if Py_UNICODE_ISDECIMAL(c) else c)
        return self.shapes.append(key)

    cdef int mixed(self) except -1:
        self.odd.append(MIXED_SCRIPT)
        return 0


cdef class _TextTokens(Found):
    """The tokens of each group of a text."""

    cdef dict groups
    cdef list words
    cdef list subject
    cdef list pairs
    cdef list chars
    cdef list end
    cdef list shapes
    cdef list odd

    def __init__(self):
        self.words, self.subject, self.pairs, self.chars = [], [], [], []
        self.end, self.shapes, self.odd = [], [], []
        self.groups = {
            BODY: self.words, "subject": self.subject, "pair": self.pairs, "char": self.chars,
            "end": self.end, "shape": self.shapes, "word": self.odd,
        }

    cdef int word(self, Words words, Py_ssize_t i) except -1:
        self.words.append(words.word(i))
        return 0

    cdef int subject_word(self, Words words, Py_ssize_t i) except -1:
        self.subject.append("subject:" + words.word(i))
        return 0

    cdef int pair(self, Words words, Py_ssize_t i) except -1:
        self.pairs.append(f"pair:{words.word(i)} {words.word(i + 1)}")
        return 0

    cdef int run(self, Words words, Py_ssize_t start) except -1:
        self.chars.append("char:" + words.text[start : start + _N_CHARS])
        return 0

    cdef int last_word(self, Words words, Py_ssize_t i) except -1:
        self.end.append("end:" + words.word(i))
        return 0

    cdef int shape(self, Words words, Py_ssize_t i) except -1:
        self.shapes.append(SHAPES[words.word(i)])
        return 0

    cdef int mixed(self) except -1:
        self.odd.append(MIXED_SCRIPT)
        return 0


def text_keys(reading, Base base not None, segment, frozenset stop_words=frozenset()):
    """Return the fingerprints of the tokens of the text that there is to read.

    Parameters
    ----------
    reading : Reading
    base : Base
        Of the fingerprints.
    segment : callable
        Splits a run of Chinese characters.
    stop_words : frozenset of str
        Words to leave out.

    Returns
    -------
    TextKeys
    """
    cdef TextKeys found = TextKeys(base)
    _read(found, reading, Splitter(base, segment, stop_words))
    return found


def text_tokens(reading, segment, frozenset stop_words=frozenset()):
    """Return the tokens themselves, as `spamnb.text.full.text_tokens` does; see `text_keys`."""
    cdef _TextTokens found = _TextTokens()
    _read(found, reading, Splitter(Base(1), segment, stop_words))
    return found.groups


cdef int _read(Found found, reading, Splitter splitter) except -1:
    cdef Py_ssize_t to_read = _CHARS_WITHIN, i
    cdef Words words, subject = splitter.split(reading.subject)
    cdef list all_words = []
    _add_pairs(found, subject)
    _add_runs(found, subject, _CHARS_WITHIN)
    for text in reading.texts:
        words = splitter.split(text)
        for i in range(words.n):
            found.word(words, i)
        _add_disguised(found, False, text, words, splitter)
        _add_pairs(found, words)
        for i in range(words.n):
            if words.items[i].has_digit:
                if words.items[i].end - words.items[i].start <= _LONGEST_SHAPE:
                    found.shape(words, i)
        _add_runs(found, words, to_read)
        to_read -= PyUnicode_GET_LENGTH(text)
        if not text.isascii() and _is_mixed(words):
            found.mixed()
        all_words.append(words)
    for i in range(subject.n):
        found.subject_word(subject, i)
    _add_disguised(found, True, reading.subject, subject, splitter)
    return _add_last(found, all_words)


cdef int _add_pairs(Found found, Words words) except -1:
    cdef Py_ssize_t i
    for i in range(words.n - 1):
        found.pair(words, i)
    return 0


cdef int _add_runs(Found found, Words words, Py_ssize_t within) except -1:
    cdef Py_ssize_t i, start, size
    for i in range(words.n):
        if within <= 0:
            break
        size = words.items[i].end - words.items[i].start
        within -= size + 1
        if size > _N_CHARS:
            for start in range(words.items[i].start, words.items[i].end - _N_CHARS + 1):
                found.run(words, start)
    return 0


cdef int _add_last(Found found, list all_words) except -1:
    cdef Py_ssize_t n_before = -_N_LAST, i
    cdef Words words
    for words in all_words:
        n_before += words.n
    for words in all_words:
        for i in range(max(0, n_before), words.n):
            found.last_word(words, i)
        n_before -= words.n
    return 0


cdef bint _is_mixed(Words words) except -1:
    cdef Py_ssize_t i, place
    cdef bint may_be, is_ascii
    cdef uint32_t c
    for i in range(words.n):
        is_ascii, may_be = True, False
        for place in range(words.items[i].start, words.items[i].end):
            c = PyUnicode_READ(words.kind, words.data, place)
            is_ascii = is_ascii and c < 0x80
            may_be = may_be or c < 0x2E80
        if may_be and not is_ascii and is_mixed_script(words.word(i)):
            return True
    return False


cdef int _add_disguised(
    Found found, bint in_subject, str text, Words words, Splitter splitter
) except -1:
    """Add the words that only a reader sees in a text, to the body or to the subject."""
    cdef str plain = text if text.isascii() else normalised(text)
    cdef str foreign
    cdef list disguised = disguised_words(plain)
    if disguised:
        _add_all(found, in_subject, splitter.whole(disguised))
    if text.isascii():
        return 0
    # ASCII stays as it is, so a text with a few quotation marks beyond it is not split twice.
    foreign = " ".join([chunk for chunk in text.split() if not chunk.isascii()])
    if 2 * PyUnicode_GET_LENGTH(foreign) < PyUnicode_GET_LENGTH(text):
        text, words, plain = foreign, splitter.split(foreign), normalised(foreign)
    plain = folded_text(plain)
    if plain != text:
        _add_surplus(found, in_subject, splitter.split(plain), words)
    return 0


cdef int _add_all(Found found, bint in_subject, Words words) except -1:
    cdef Py_ssize_t i
    for i in range(words.n):
        if in_subject:
            found.subject_word(words, i)
        else:
            found.word(words, i)
    return 0


cdef int _add_surplus(Found found, bint in_subject, Words plain, Words words) except -1:
    """Add the words that come more often in a text than in another: its last ones."""
    cdef dict surplus = {}
    cdef list numbers
    cdef Py_ssize_t i
    for i in range(plain.n):
        word = plain.word(i)
        surplus[word] = surplus.get(word, 0) + 1
    for i in range(words.n):
        word = words.word(i)
        if word in surplus:
            surplus[word] -= 1
    for i in range(plain.n):
        word = plain.word(i)
        n = surplus.pop(word, 0)
        for _ in range(n):
            if in_subject:
                found.subject_word(plain, i)
            else:
                found.word(plain, i)
    return 0
