# cython: boundscheck=False
"""Runs of Chinese characters → words; twin of `spamnb.text.segmentation.run_cutter`.

The lines of the dictionary's table are read in place: a lookup takes less time than caching it
would.

Pointers stay inside the run, since there is room for one place more than it has characters, and
inside the table, since the lines of a group are within it (`_find_group`), and no line is read past
the end of its group.  The model knows each character (`_take`), so its emissions are there.
"""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.math cimport NAN, isnan, log
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp

from spamnb.native.characters cimport PyUnicode_READ

from zlib import crc32

from spamnb.text.dictionary import FIRST_CHARACTER, LAST_CHARACTER, N_GROUPS

cdef extern from *:
    void __builtin_prefetch(const void*) noexcept nogil

cdef enum:
    _N_CHARACTERS = 0x9FD5 - 0x4E00 + 1
    _CHARACTER_BYTES = 3  # of each in UTF-8

cdef uint32_t _FIRST = ord(FIRST_CHARACTER)
cdef uint32_t _LAST = ord(LAST_CHARACTER)
cdef uint32_t _GROUP_MASK = N_GROUPS - 1
cdef uint32_t[256] _CRC
for _byte in range(256):
    # What a byte adds to a checksum (RFC 1952, section 8).
    _CRC[_byte] = crc32(bytes([_byte ^ 0xFF])) ^ 0xFF000000

# States of a character, as the dictionary has them.
cdef enum:
    _B, _E, _M, _S


cdef struct Place:
    double score  # of the best path from here on
    double weight  # of the word of as many characters that begins where the route is
    uint32_t begin  # the lines of words that begin with this character and the next
    uint32_t end
    int next  # where the first word of that path ends
    uint8_t[4] origin  # from which state each state is reached


def run_cutter(of_any not None):
    """Return a function that cuts runs of characters that the model knows; see the twin."""
    return _Cutter(of_any.dictionary).cut


cdef class _Cutter:
    """Cuts runs of characters that the hidden Markov model knows.

    Parameters
    ----------
    dictionary : Dictionary
    """

    cdef const uint8_t[::1] _lines
    cdef const uint32_t[::1] _starts
    cdef const double[::1] _emissions
    cdef double[12] _probabilities
    cdef double[_N_CHARACTERS] _characters
    cdef double _log_total
    cdef Place* _places
    cdef uint8_t* _text
    cdef Py_ssize_t _room

    def __init__(self, dictionary):
        cdef Py_ssize_t i
        self._lines, self._starts = dictionary.lines, dictionary.starts
        self._emissions = dictionary.emissions
        if (
            _LAST - _FIRST + 1 != _N_CHARACTERS
            or self._emissions.shape[0] != 4 * _N_CHARACTERS
            or self._starts.shape[0] != N_GROUPS + 1
        ):
            raise ValueError(_N_CHARACTERS)
        for i in range(12):
            self._probabilities[i] = dictionary.probabilities[i]
        for i in range(_N_CHARACTERS):
            self._characters[i] = NAN
        self._log_total = log(dictionary.total)

    def __dealloc__(self):
        PyMem_Free(self._places)
        PyMem_Free(self._text)

    def cut(self, str run not None, bint HMM):
        """Return the words of a run, None if it has other characters.

        Parameters
        ----------
        run : str
        HMM : bool
            Look for names and other words that are not in the dictionary.
        """
        cdef Py_ssize_t n = PyUnicode_GET_LENGTH(run), start = 0, single = 0, end
        cdef list words = []
        if not self._take(run, n):
            return None
        self._route(n)
        while start < n:
            end = self._places[start].next
            if not HMM:
                words.append(run[start:end])
            elif end - start > 1:
                if single < start:
                    self._add_singles(words, run, single, start)
                words.append(run[start:end])
                single = end
            start = end
        if HMM and single < n:
            self._add_singles(words, run, single, n)
        return words

    cdef bint _take(self, str run, Py_ssize_t n) except -1:
        """Store the run in UTF-8; return whether the model knows all of its characters."""
        cdef int kind = PyUnicode_KIND(run)
        cdef void* data = PyUnicode_DATA(run)
        cdef Py_ssize_t i
        cdef uint32_t c
        if n + 1 > self._room:
            self._enlarge(2 * (n + 1))
        for i in range(n):
            c = PyUnicode_READ(kind, data, i)
            if not _FIRST <= c <= _LAST:
                return False
            self._text[3 * i] = 0xE0 | c >> 12
            self._text[3 * i + 1] = 0x80 | c >> 6 & 0x3F
            self._text[3 * i + 2] = 0x80 | c & 0x3F
        return True

    cdef int _enlarge(self, Py_ssize_t room) except -1:
        cdef void* places = PyMem_Realloc(self._places, room * sizeof(Place))
        if places == NULL:
            raise MemoryError
        self._places = <Place*> places
        cdef void* text = PyMem_Realloc(self._text, _CHARACTER_BYTES * room)
        if text == NULL:
            raise MemoryError
        self._text = <uint8_t*> text
        self._room = room
        return 0

    # The dictionary

    cdef inline uint32_t _character(self, Py_ssize_t i) noexcept nogil:
        """Return the number of the character at an index, 0 for ``FIRST_CHARACTER``."""
        cdef const uint8_t* text = self._text + _CHARACTER_BYTES * i
        return ((text[0] & 0xF) << 12 | (text[1] & 0x3F) << 6 | text[2] & 0x3F) - _FIRST

    cdef inline int _find_group(self, uint32_t checksum, Place* place) except -1:
        """Find the lines of the group that a checksum names."""
        cdef uint32_t group = (checksum ^ <uint32_t> 0xFFFFFFFF) & _GROUP_MASK
        place.begin, place.end = self._starts[group], self._starts[group + 1]
        if not place.begin <= place.end <= self._lines.shape[0]:
            raise ValueError(group)
        return 0

    cdef double _character_weight(self, Py_ssize_t i) except? 1:
        """Return the weight of a character as a word, 0 if it is not one."""
        cdef uint32_t character = self._character(i)
        cdef const uint8_t* text = self._text + _CHARACTER_BYTES * i
        cdef const uint8_t* line
        cdef Place group
        cdef double weight = self._characters[character]
        if isnan(weight):
            weight = 0
            self._find_group(_checked(_checked_character(<uint32_t> 0xFFFFFFFF, text), 32), &group)
            line = &self._lines[0] + group.begin
            while line != NULL:
                line = self._next_line(line, group.end, text, 1)
                if line != NULL and line[_CHARACTER_BYTES] == 32:
                    weight = self._weight_at(line + _CHARACTER_BYTES, group.end)
                    break
            self._characters[character] = weight
        return weight

    cdef const uint8_t* _next_line(
        self, const uint8_t* line, uint32_t end, const uint8_t* text, int n_characters
    ) noexcept nogil:
        """Return the next line that begins with these characters, NULL if there is none."""
        cdef const uint8_t* last = &self._lines[0] + end
        cdef Py_ssize_t size = _CHARACTER_BYTES * n_characters
        while True:
            line = <const uint8_t*> memchr(line, 10, last - line)
            if line == NULL or last - line < size + 2:
                return NULL
            line += 1
            if memcmp(line, text, size) == 0:
                return line

    cdef double _weight_at(self, const uint8_t* digits, uint32_t end) noexcept nogil:
        """Return the weight for the frequency after a blank, 0 for a frequency of 0."""
        cdef const uint8_t* last = &self._lines[0] + end
        cdef double frequency = 0
        digits += 1
        while digits < last and 48 <= digits[0] <= 57:
            frequency = 10 * frequency + (digits[0] - 48)
            digits += 1
        return log(frequency) - self._log_total if frequency else 0

    cdef Py_ssize_t _weigh_words(self, Py_ssize_t start, Py_ssize_t n) noexcept nogil:
        """Store the weight of each word that begins at an index, by its number of characters.

        Returns
        -------
        int
            The number of characters of the longest, at least 1.
        """
        cdef const uint8_t* text = self._text + _CHARACTER_BYTES * start
        cdef uint32_t end = self._places[start].end
        cdef const uint8_t* line = &self._lines[0] + self._places[start].begin
        cdef const uint8_t* last = &self._lines[0] + end
        cdef Py_ssize_t i, size, longest = 1, room = _CHARACTER_BYTES * (n - start)
        while True:
            line = self._next_line(line, end, text, 2)
            if line == NULL:
                return longest
            size = 2 * _CHARACTER_BYTES
            while size < room and line + size < last and line[size] == text[size]:
                size += 1
            if size % _CHARACTER_BYTES or line + size >= last or line[size] != 32:
                continue
            size //= _CHARACTER_BYTES
            for i in range(longest + 1, size):
                self._places[i].weight = 0
            # If a word has two lines, jieba takes the last.
            self._places[size].weight = self._weight_at(line + _CHARACTER_BYTES * size, end)
            longest = max(longest, size)

    # The most probable path

    cdef int _route(self, Py_ssize_t n) except -1:
        """Find where each word of the most probable path ends."""
        cdef Place* places = self._places
        cdef Py_ssize_t start, size, longest
        cdef double weight, best
        cdef bint has_word
        for start in range(n - 1):
            self._find_group(
                _checked_character(
                    _checked_character(
                        <uint32_t> 0xFFFFFFFF, self._text + _CHARACTER_BYTES * start
                    ),
                    self._text + _CHARACTER_BYTES * (start + 1),
                ),
                &places[start],
            )
            __builtin_prefetch(&self._lines[0] + places[start].begin)
        places[n].score = 0
        for start in range(n - 1, -1, -1):
            weight = self._character_weight(start)
            has_word = weight != 0
            best = weight + places[start + 1].score
            places[start].next = <int> (start + 1)
            longest = self._weigh_words(start, n) if start + 1 < n else 1
            for size in range(2, longest + 1):
                weight = places[size].weight
                # Of two equally probable paths, jieba takes the one with the longer word.
                if weight and (not has_word or weight + places[start + size].score >= best):
                    has_word = True
                    best = weight + places[start + size].score
                    places[start].next = <int> (start + size)
            if not has_word:
                best = -self._log_total + places[start + 1].score
            places[start].score = best
        return 0

    cdef bint _is_word(self, Py_ssize_t start, Py_ssize_t end) noexcept:
        cdef Py_ssize_t size = end - start
        return self._weigh_words(start, end) == size and self._places[size].weight < 0

    # Characters that form no known words

    cdef int _add_singles(self, list words, str run, Py_ssize_t start, Py_ssize_t end) except -1:
        """Add the words of a run that the dictionary splits into single characters."""
        cdef Py_ssize_t i
        if end - start == 1 or self._is_word(start, end):
            for i in range(start, end):
                words.append(run[i : i + 1])
            return 0
        self._find_states(start, end)
        for i in range(start, end):
            if self._places[i].origin[0] == _E or self._places[i].origin[0] == _S:
                words.append(run[start : i + 1])
                start = i + 1
        return 0

    cdef int _find_states(self, Py_ssize_t start, Py_ssize_t end) noexcept:
        """Store the most probable state of each character; see `CharacterModel`."""
        cdef Place* places = self._places
        cdef const double* p = self._probabilities
        cdef const double* of = &self._emissions[4 * self._character(start)]
        cdef double be = p[4], bm = p[5], eb = p[6], es = p[7]
        cdef double me = p[8], mm = p[9], sb = p[10], ss = p[11]
        cdef double b = p[_B] + of[_B], e = p[_E] + of[_E], m = p[_M] + of[_M], s = p[_S] + of[_S]
        cdef double e_b, s_b, b_e, m_e, b_m, m_m, e_s, s_s
        cdef Py_ssize_t i
        cdef uint8_t state
        for i in range(start + 1, end):
            of = &self._emissions[4 * self._character(i)]
            e_b, s_b = e + eb + of[_B], s + sb + of[_B]
            b_e, m_e = b + be + of[_E], m + me + of[_E]
            b_m, m_m = b + bm + of[_M], m + mm + of[_M]
            e_s, s_s = e + es + of[_S], s + ss + of[_S]
            places[i].origin[_B] = _S if s_b >= e_b else _E
            places[i].origin[_E] = _M if m_e >= b_e else _B
            places[i].origin[_M] = _M if m_m >= b_m else _B
            places[i].origin[_S] = _S if s_s >= e_s else _E
            b, e = s_b if s_b > e_b else e_b, m_e if m_e > b_e else b_e
            m, s = m_m if m_m > b_m else b_m, s_s if s_s > e_s else e_s
        state = _S if s >= e else _E
        for i in range(end - 1, start, -1):
            # The first of the four is not read again: from here on it is the character's own state.
            places[i].origin[0], state = state, places[i].origin[state]
        places[start].origin[0] = state
        return 0


cdef inline uint32_t _checked(uint32_t checksum, uint8_t byte) noexcept nogil:
    return checksum >> 8 ^ _CRC[(checksum ^ byte) & 0xFF]


cdef inline uint32_t _checked_character(uint32_t checksum, const uint8_t* character) noexcept nogil:
    return _checked(_checked(_checked(checksum, character[0]), character[1]), character[2])
