"""The tokens of text as fingerprints: those of `spamnb.text.full.text_tokens`, in the same order.

The twins built on this decide what becomes of each token: `spamnb.text.native.counting`,
`spamnb.filter.native.table_filter`.

Characters are read by index, within a word of a `Words`, whose indices are inside its text; an
n-gram begins only where its word has as many characters left.
"""

from cpython.unicode cimport PyUnicode_GET_LENGTH
from libc.stdint cimport int32_t, uint32_t, uint64_t

from spamnb.native.characters cimport PyUnicode_READ, Py_UNICODE_ISDECIMAL
from spamnb.text.native.fingerprints cimport Base, Keys, Numbering, spelled
from spamnb.text.native.letters cimport disguised_words
from spamnb.text.native.words cimport Splitter, Words

from spamnb.text.analyzer import Analyzer
from spamnb.text.full import (
    CHARS_WITHIN,
    LONGEST_SHAPE,
    MIXED_SCRIPT,
    N_CHARS,
    N_LAST,
    SHAPES,
    other_tokens,
)
from spamnb.text.letters import folded_text, normalized
from spamnb.text.reading import read
from spamnb.text.tokenizers import make_segmenter

cdef Py_ssize_t _CHARS_WITHIN = CHARS_WITHIN
cdef Py_ssize_t _LONGEST_SHAPE = LONGEST_SHAPE
cdef Py_ssize_t _N_CHARS = N_CHARS
cdef Py_ssize_t _N_LAST = N_LAST
# For words whose fingerprints are not used.
cdef Base _UNUSED = Base(1)
cdef tuple _PREFIXES = ("", "subject:", "pair:", "char:", "end:", "shape:")


cdef class Spelling:
    """Computes the fingerprints of tokens without making the tokens."""

    def __cinit__(self, Base base not None):
        cdef int kind
        self.base = base
        for kind in range(N_KINDS):
            self.prefixes[kind] = base.key(_PREFIXES[kind])

    cdef uint64_t key(self, int kind, Words words, Py_ssize_t i) noexcept:
        """Return the fingerprint of a token; see `token_of`."""
        cdef uint64_t key = self.prefixes[kind], number = self.base.number
        cdef uint32_t c
        cdef Py_ssize_t place
        if kind == RUN:
            for place in range(i, i + _N_CHARS):
                key = spelled(key, number, PyUnicode_READ(words.kind, words.data, place))
        elif kind == SHAPE:
            for place in range(words.items[i].start, words.items[i].end):
                c = PyUnicode_READ(words.kind, words.data, place)
                key = spelled(key, number, 48 if Py_UNICODE_ISDECIMAL(c) else c)
        else:
            key = key * words.items[i].power + words.items[i].key
            if kind == PAIR:
                key = key * number + 32 + 1
                key = key * words.items[i + 1].power + words.items[i + 1].key
        return key


cdef str token_of(int kind, Words words, Py_ssize_t i):
    """Return the token of a word, of a word and the next, or of the n-gram at an index."""
    if kind == WORD:
        return words.word(i)
    if kind == PAIR:
        return f"pair:{words.word(i)} {words.word(i + 1)}"
    if kind == RUN:
        return "char:" + words.text[i : i + _N_CHARS]
    if kind == SHAPE:
        return SHAPES[words.word(i)]
    return <str> _PREFIXES[kind] + words.word(i)


cdef class Finder:
    """Finds the tokens in the text of a mail; subclasses decide what becomes of each."""

    cdef int add(self, int kind, Words words, Py_ssize_t i) except -1:
        """Receive a token; see `token_of`."""
        raise NotImplementedError

    cdef int add_other(self, str token) except -1:
        """Receive a token of no such kind."""
        raise NotImplementedError

    cdef int find(self, reading, Splitter splitter) except -1:
        """Find the tokens of what there is to read, in the order of the twin in each group."""
        cdef Py_ssize_t to_read = _CHARS_WITHIN, i
        cdef Words words, subject = splitter.split(reading.subject)
        cdef list all_words = []
        _add_pairs(self, subject)
        _add_runs(self, subject, _CHARS_WITHIN)
        for text in reading.texts:
            words = splitter.split(text)
            for i in range(words.n):
                self.add(WORD, words, i)
            _add_disguised(self, WORD, text, words, splitter)
            _add_pairs(self, words)
            for i in range(words.n):
                if words.items[i].has_digit:
                    if words.items[i].end - words.items[i].start <= _LONGEST_SHAPE:
                        self.add(SHAPE, words, i)
            _add_runs(self, words, to_read)
            to_read -= PyUnicode_GET_LENGTH(text)
            if not text.isascii() and _is_mixed(words):
                self.add_other(MIXED_SCRIPT)
            all_words.append(words)
        for i in range(subject.n):
            self.add(SUBJECT_WORD, subject, i)
        _add_disguised(self, SUBJECT_WORD, reading.subject, subject, splitter)
        return _add_last(self, all_words)


cdef class TextKeys(Finder):
    """The fingerprints of the tokens of each group of a text.

    Those of the body are in two arrays: words, and runs of punctuation with a colon, which do not
    count as words.  ``odd`` are the tokens of the group ``word``.
    """

    def __init__(self, Base base not None):
        self.spelling = Spelling(base)
        self.words, self.punctuation, self.subject = Keys(), Keys(), Keys()
        self.pairs, self.chars, self.end, self.shapes = Keys(), Keys(), Keys(), Keys()
        self.odd = []

    cdef int add(self, int kind, Words words, Py_ssize_t i) except -1:
        cdef uint64_t key = self.spelling.key(kind, words, i)
        if kind == WORD:
            return (self.punctuation if words.items[i].has_colon else self.words).append(key)
        if kind == PAIR:
            return self.pairs.append(key)
        if kind == RUN:
            return self.chars.append(key)
        if kind == SHAPE:
            return self.shapes.append(key)
        return (self.subject if kind == SUBJECT_WORD else self.end).append(key)

    cdef int add_other(self, str token) except -1:
        self.odd.append(token)
        return 0


cdef class MessageReader:
    """Finds the tokens of messages, as the analyzer of a configuration does.

    Parameters
    ----------
    config : AnalyzerConfig
    base : Base
        Of the fingerprints of the text.
    """

    def __init__(self, config, Base base not None):
        is_full = config.preset == "full" and not config.with_values
        self.base = base
        self.tokenizer = config.tokenizer
        self.stop_words = frozenset(config.stop_words)
        self.analyzer = None if is_full else Analyzer(config)

    cdef dict find(self, message, Finder found):
        """Pass the tokens of the text to ``found``, and return all others by group.

        Where the text is not read in compiled code, it is a group like any other.
        """
        if self.analyzer is not None:
            return self.analyzer.groups(message)
        reading = read(message)
        segment = make_segmenter(self.tokenizer)
        found.find(reading, Splitter(self.base, segment, self.stop_words))
        return other_tokens(message, reading, Splitter(_UNUSED, segment, self.stop_words).words)


cdef int _add_pairs(Finder found, Words words) except -1:
    cdef Py_ssize_t i
    for i in range(words.n - 1):
        found.add(PAIR, words, i)
    return 0


cdef int _add_runs(Finder found, Words words, Py_ssize_t within) except -1:
    cdef Py_ssize_t i, start, size
    for i in range(words.n):
        if within <= 0:
            break
        size = words.items[i].end - words.items[i].start
        within -= size + 1
        if size > _N_CHARS:
            for start in range(words.items[i].start, words.items[i].end - _N_CHARS + 1):
                found.add(RUN, words, start)
    return 0


cdef int _add_last(Finder found, list all_words) except -1:
    cdef Py_ssize_t n_before = -_N_LAST, i
    cdef Words words
    for words in all_words:
        n_before += words.n
    for words in all_words:
        for i in range(max(0, n_before), words.n):
            found.add(LAST_WORD, words, i)
        n_before -= words.n
    return 0


cdef inline int _script(uint32_t c) noexcept nogil:
    """Return the script of a letter as one bit, 0 for any other character."""
    if 65 <= c <= 90 or 97 <= c <= 122 or 0xC0 <= c <= 0x24F or 0x1E00 <= c <= 0x1EFF:
        return 1
    if 0x400 <= c <= 0x52F:
        return 2
    if 0x370 <= c <= 0x3FF or 0x1F00 <= c <= 0x1FFF:
        return 4
    if 0x530 <= c <= 0x58F:
        return 8
    return 16 if 0x13A0 <= c <= 0x13FF or 0xAB70 <= c <= 0xABBF else 0


cdef bint _is_mixed(Words words) noexcept:
    """Return whether a word mixes two scripts; see `spamnb.text.letters.is_mixed_script`."""
    cdef Py_ssize_t i, place
    cdef bint may_be
    cdef int scripts
    cdef uint32_t c
    for i in range(words.n):
        may_be, scripts = False, 0
        for place in range(words.items[i].start, words.items[i].end):
            c = PyUnicode_READ(words.kind, words.data, place)
            may_be = may_be or c < 0x2E80
            scripts |= _script(c)
        if may_be and scripts & (scripts - 1):
            return True
    return False


cdef int _add_disguised(
    Finder found, int kind, str text, Words words, Splitter splitter
) except -1:
    """Add the words that only a reader recognizes in a text, to the body or the subject."""
    cdef str plain = text if text.isascii() else normalized(text)
    cdef str foreign
    cdef list disguised = disguised_words(plain)
    if disguised:
        _add_all(found, kind, splitter.whole(disguised))
    if text.isascii():
        return 0
    # ASCII never changes, so a text with a few non-ASCII quotation marks is not split twice.
    foreign = " ".join([chunk for chunk in text.split() if not chunk.isascii()])
    if 2 * PyUnicode_GET_LENGTH(foreign) < PyUnicode_GET_LENGTH(text):
        text, words, plain = foreign, splitter.split(foreign), normalized(foreign)
    plain = folded_text(plain)
    if plain != text:
        _add_surplus(found, kind, splitter.split(plain), words)
    return 0


cdef int _add_all(Finder found, int kind, Words words) except -1:
    cdef Py_ssize_t i
    for i in range(words.n):
        found.add(kind, words, i)
    return 0


cdef int _add_surplus(Finder found, int kind, Words plain, Words words) except -1:
    """Add the words that occur more often in one text than in another: the last occurrences."""
    cdef Numbering numbering = Numbering()
    cdef Keys surplus = Keys()
    cdef Py_ssize_t i
    cdef int32_t number
    for i in range(plain.n):
        number = numbering.number(plain.items[i].key)
        if number == surplus.n:
            surplus.append(0)
        surplus.data[number] += 1
    for i in range(words.n):
        number = numbering.number(words.items[i].key)
        if number < surplus.n and surplus.data[number] > 0:
            surplus.data[number] -= 1
    for i in range(plain.n):
        number = numbering.number(plain.items[i].key)
        while surplus.data[number] > 0:
            surplus.data[number] -= 1
            found.add(kind, plain, i)
    return 0
