"""A linear filter as a table of weights; twin of `spamnb.filter.table_filter`.

The tokens of text, most of a mail's, are never made: their fingerprints stand for them.

The table is read by checked indices, whatever its file holds; `Item`s are read by pointer, of which
`Counts.clear` makes as many as there are fingerprints to count, and a number is never larger.
"""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.math cimport INFINITY, isfinite, log1p, rint, sqrt
from libc.stdint cimport int32_t, uint32_t, uint64_t

from spamnb.text.native.full cimport MessageReader, TextKeys
from spamnb.text.native.fingerprints cimport Base, Keys, Numbering

from spamnb.text.groups import BODY, WEIGHT_UNIT, group_number
from spamnb.filter.table_filter import make_table_filter as either_form
from spamnb.filter.verdict import HAM_OR_SPAM
from spamnb.filter.table import slot_shift
from spamnb.text.fingerprints import SPREAD

cdef extern from *:
    void __builtin_prefetch(const void*) noexcept nogil

cdef uint64_t _SPREAD = SPREAD
cdef double _UNIT = WEIGHT_UNIT
cdef dict _NUMBERS = {}
_BODY, _SUBJECT, _PAIR, _CHAR, _END, _SHAPE, _WORD = map(
    group_number, (BODY, "subject", "pair", "char", "end", "shape", "word")
)

cdef struct Item:
    uint64_t slot
    int32_t count
    int32_t entry


cdef class Counts:
    """The counts of fingerprints."""

    cdef Numbering numbering
    cdef Item* items
    cdef Py_ssize_t room

    def __cinit__(self):
        self.numbering = Numbering()

    def __dealloc__(self):
        PyMem_Free(self.items)

    cdef int clear(self, Py_ssize_t n_keys) except -1:
        """Clear the counts, and make room for ``n_keys`` fingerprints."""
        cdef Item* items
        if n_keys > self.room:
            items = <Item*> PyMem_Realloc(self.items, n_keys * sizeof(Item))
            if items == NULL:
                raise MemoryError
            self.items, self.room = items, n_keys
        return self.numbering.clear(n_keys)

    cdef int add(self, Keys keys) except -1:
        """Count fingerprints, for which `clear` has made room."""
        cdef Py_ssize_t i, n = self.numbering.keys.n
        cdef int32_t number
        for i in range(keys.n):
            number = self.numbering.number(keys.data[i])
            if number == n:
                self.items[number].count = 0
                n += 1
            self.items[number].count += 1
        return 0


def make_table_filter(config, table, str view, double intercept, decision):
    """Return the filter that a table holds."""
    return TableFilter(config, table, view, intercept, decision)


cdef class TableFilter:
    """A filter of ham and spam that looks its weights up in a table."""

    cdef readonly tuple labels
    cdef readonly object config
    cdef object _table
    cdef object _decision
    cdef double _intercept
    cdef MessageReader _reader
    cdef const uint32_t[::1] _slots
    cdef const uint64_t[:] _keys
    cdef const double[:] _weights
    cdef const double[:] _scales
    cdef uint64_t _reach
    cdef int _shift
    cdef Py_ssize_t _n_entries
    cdef str _view
    cdef Counts _counts

    def __init__(self, config, table, str view, double intercept, decision):
        self.labels, self.config = HAM_OR_SPAM, config
        self._table, self._view, self._decision = table, view, decision
        self._intercept = intercept
        self._reader = MessageReader(config, Base(table.form.base))
        self._slots, self._keys = table.slots, table.keys
        self._weights, self._scales = table.weights, table.scales
        self._reach, self._shift = table.form.reach, slot_shift(table.form.n_slots)
        self._n_entries = table.form.n_entries
        self._counts = Counts()

    def __reduce__(self):
        model = (self._table, self._view, self._intercept, self._decision)
        return either_form, (self.config, *model)

    def classify_all(self, messages):
        """Return the verdict on each of some messages."""
        return [self.classify(message) for message in messages]

    def classify(self, message):
        """Return the verdict on one message."""
        cdef TextKeys text = TextKeys(self._reader.base)
        cdef dict others = self._reader.find(message, text)
        return self.judge(others) if BODY in others else self._judge(text, others)

    def judge(self, dict groups not None):
        """Return the verdict on the tokens of a mail, as the analyzer groups them."""
        cdef TextKeys text = TextKeys(self._reader.base)
        cdef str token
        for token in groups.get(BODY, ()):
            (text.punctuation if ":" in token else text.words).append(self._reader.base.key(token))
        return self._judge(text, {name: each for name, each in groups.items() if name != BODY})

    cdef object _judge(self, TextKeys text, dict others):
        """Return the verdict on fingerprints of text and the tokens of all other groups."""
        cdef dict by_number = {
            _BODY: [text.words, text.punctuation],
            _SUBJECT: [text.subject],
            _PAIR: [text.pairs],
            _CHAR: [text.chars],
            _END: [text.end],
            _SHAPE: [text.shapes],
            _WORD: [self._keys_of(text.odd)],
        }
        cdef Py_ssize_t n_words = 0, n_known_words = 0, n_known = 0
        cdef double log_odds = self._intercept
        cdef list all_keys
        for group, tokens in others.items():
            number = _NUMBERS.get(group)
            if number is None:
                number = _NUMBERS[group] = group_number(group)
            by_number.setdefault(number, []).append(self._keys_of(tokens))
        for number, all_keys in by_number.items():
            n_first = self._count(all_keys)
            self._find()
            if number == _BODY:
                n_words = n_first
                n_known_words = self._n_known(n_words)
            n_known += self._n_known(self._counts.numbering.keys.n)
            log_odds += self._evidence()
        if not isfinite(log_odds):
            raise self._table.damaged()
        too_little = self._decision.too_little_known(n_known_words, n_words, n_known)
        return self._decision.verdict(log_odds, too_little)

    cdef Keys _keys_of(self, tokens):
        cdef Keys keys = Keys()
        cdef str token
        for token in tokens:
            keys.append(self._reader.base.key(token))
        return keys

    cdef Py_ssize_t _count(self, list all_keys) except -1:
        """Count fingerprints; return how many different ones the first of the lists has."""
        cdef Keys keys
        cdef Py_ssize_t n = 0, n_first = -1
        for keys in all_keys:
            n += keys.n
        self._counts.clear(n)
        for keys in all_keys:
            self._counts.add(keys)
            if n_first < 0:
                n_first = self._counts.numbering.keys.n
        return n_first

    cdef int _find(self) except -1:
        """Find the entry of each fingerprint in the table, -1 for one that has none."""
        cdef Item* items = self._counts.items
        cdef uint64_t* keys = self._counts.numbering.keys.data
        cdef Py_ssize_t i, number, n = self._counts.numbering.keys.n
        cdef uint64_t slot, last
        for i in range(n):
            slot = (keys[i] * _SPREAD >> (self._shift - 1)) >> 1  # by 64, where there is one slot
            __builtin_prefetch(&self._slots[slot])
            items[i].slot = slot
        for i in range(n):
            number = self._slots[items[i].slot]
            if 0 < number <= self._n_entries:
                __builtin_prefetch(&self._keys[number - 1])
        for i in range(n):
            slot, items[i].entry = items[i].slot, -1
            last = slot + self._reach
            while slot <= last:
                number = self._slots[slot]
                if number == 0:
                    break
                if number > self._n_entries:
                    raise self._table.damaged()
                if self._keys[number - 1] == keys[i]:
                    items[i].entry = <int32_t> (number - 1)
                    break
                slot += 1
        return 0

    cdef Py_ssize_t _n_known(self, Py_ssize_t end) noexcept:
        cdef Py_ssize_t i, n = 0
        for i in range(end):
            n += self._counts.items[i].entry >= 0
        return n

    cdef double _evidence(self) except? -1:
        """Return what the fingerprints of a group add to the log-odds."""
        cdef Item* items = self._counts.items
        cdef Py_ssize_t i
        cdef double total = 0, squares = 0, value, length, steps
        cdef bint is_grouped = self._view == "grouped"
        if not is_grouped:
            is_presence = self._view == "presence"
            for i in range(self._counts.numbering.keys.n):
                if items[i].entry >= 0:
                    value = 1.0 if is_presence else items[i].count
                    total += value * self._weights[items[i].entry]
            return total
        for i in range(self._counts.numbering.keys.n):
            if items[i].entry >= 0:
                value = self._value(&items[i])
                squares += value * value
        length = sqrt(squares)
        if length == 0 and not self._n_known(self._counts.numbering.keys.n):
            return 0.0
        if not 0 < length < INFINITY:
            raise self._table.damaged()
        for i in range(self._counts.numbering.keys.n):
            if items[i].entry >= 0:
                steps = rint(self._value(&items[i]) / (length * _UNIT))
                total += (steps if steps != 0 else 1.0) * self._weights[items[i].entry]
        return _UNIT * total

    cdef inline double _value(self, Item* item) noexcept:
        """Return the count of a token as the model sees it, before the length of its group is 1."""
        cdef double value = 0.6931471805599453 if item.count == 1 else log1p(item.count)
        return value * self._scales[item.entry]
