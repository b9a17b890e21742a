"""Chinese text → words, exactly as jieba 0.42.1 cuts it, over a table instead of its dictionary.

The words of a run are those of the path whose probabilities have the largest product (DAG and
dynamic programming); runs of single characters that remain are cut by a hidden Markov model
(Viterbi).  The order of additions and the winner of a tie are jieba's, so that rounding makes no
difference; ``benchmarks/segmentation.py`` compares the two on a corpus.  See
https://github.com/fxsjy/jieba/tree/v0.42.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import log
from sys import intern

from spamnb.memo import Memo
from spamnb.native.twins import has_twin
from spamnb.text.dictionary import FIRST_CHARACTER, LAST_CHARACTER, Dictionary, load_dictionary

# What is kept of earlier text, since mail repeats itself: 7,341 mails of trec06c have 523,619 runs
# of Chinese characters, 85,067 of them distinct with 696,000 characters, and 54,000 fragments of
# words.  A mail takes 0.35 ms with this much kept and 0.42 ms with half the characters, and the
# process takes 43 and 39 MB more (2026-11).  The whole dictionary as a dict would take 0.5 s and
# 70 MB.
_MOST_FRAGMENTS = 100_000
_MOST_CHARACTERS = 800_000

_FIRST = ord(FIRST_CHARACTER)

# jieba's patterns.  They are compiled when a text needs them, since that takes 1.4 ms.
_BLOCK = "([\u4e00-\u9fd5a-zA-Z0-9+#&._%-]+)"
_OTHER = r"\r\n|(?s:.)"
_CHINESE = "([\u4e00-\u9fd5]+)"
_LATIN = r"([a-zA-Z0-9]+(?:\.\d+)?%?)"


def weights_of(dictionary: Dictionary) -> Memo[tuple[float, str]]:
    """Return what the route needs to know about fragments of words, looked up on first use.

    The value of a word is the logarithm of its share of all words, always below zero, and the
    characters that come next in longer words; 0 and those characters for a fragment that only
    begins longer words.  Only fragments that begin a word are looked up, so little is kept.
    """
    log_total = log(dictionary.total)

    def weigh(fragment: str) -> tuple[float, str]:
        frequency, following = dictionary.look_up(fragment)
        return (log(frequency) - log_total if frequency else 0.0), following

    return Memo(weigh, _MOST_FRAGMENTS)


class Memory(dict[str, "tuple[str, ...]"]):
    """Texts and their words, forgotten all at once when there are too many.

    Parameters
    ----------
    most : int
        How many characters to keep at most, in all texts together.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._n_characters = 0

    def keep(self, text: str, words: tuple[str, ...]) -> tuple[str, ...]:
        """Keep the words of a text, and return them."""
        self._n_characters += len(text)
        if self._n_characters > self._most:
            self.clear()
            self._n_characters = len(text)
        self[text] = words
        return words


def _is_chinese(text: str) -> bool:
    return bool(text) and min(text) >= FIRST_CHARACTER and max(text) <= LAST_CHARACTER


class Segmenter:
    """Cuts text into words."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._of_any = AnyCutter(dictionary)
        self._cut_run = run_cutter(self._of_any)

    def cut(self, text: str, HMM: bool = True) -> Sequence[str]:
        """Return the words of a text; together they are the text.

        Parameters
        ----------
        text : str
            Any text.
        HMM : bool
            Look for names and other words that are not in the dictionary.
        """
        words = self._cut_run(text, HMM)
        return self._of_any.cut(text, HMM) if words is None else words


class AnyCutter:
    """Cuts text of any characters into words."""

    def __init__(self, dictionary: Dictionary) -> None:
        self.dictionary = dictionary
        self._weights = weights_of(dictionary)
        self._memory = {HMM: Memory(_MOST_CHARACTERS) for HMM in (False, True)}
        self._alone = -log(dictionary.total)
        self._model = CharacterModel(dictionary)

    def cut(self, text: str, HMM: bool) -> Sequence[str]:
        """Return the words of a text; see `Segmenter.cut`."""
        kept = self._memory[HMM].get(text)
        if kept is not None:
            return kept
        words: list[str] = []
        cut = self._with_model if HMM else self._without_model
        if _is_chinese(text):
            words += cut(text)
        else:
            for i, block in enumerate(re.split(_BLOCK, text)):
                words += cut(block) if i % 2 else re.findall(_OTHER, block)
        # Words recur: one object for each takes 35 MB less.
        return self._memory[HMM].keep(text, tuple(map(intern, words)))

    def _with_model(self, block: str) -> list[str]:
        words: list[str] = []
        single = start = 0  # where the single characters before this word begin
        for end in self._route(block):
            if end - start > 1:
                if single < start:
                    words += self._singles(block[single:start])
                words.append(block[start:end])
                single = end
            start = end
        if single < start:
            words += self._singles(block[single:start])
        return words

    def _singles(self, run: str) -> list[str]:
        """Cut a run that the dictionary splits into single characters."""
        if len(run) == 1:
            return [run]
        if self._is_word(run):
            return list(run)
        if _is_chinese(run):
            return self._model.cut(run)
        words: list[str] = []
        for i, part in enumerate(re.split(_CHINESE, run)):
            words += self._model.cut(part) if i % 2 else filter(None, re.split(_LATIN, part))
        return words

    def _without_model(self, block: str) -> list[str]:
        words: list[str] = []
        start = latin = 0
        for end in self._route(block):
            is_latin = end - start == 1 and block[start].isascii() and block[start].isalnum()
            if not is_latin:
                if latin < start:
                    words.append(block[latin:start])
                words.append(block[start:end])
                latin = end
            start = end
        if latin < start:
            words.append(block[latin:start])
        return words

    def _is_word(self, run: str) -> bool:
        weight, following = self._weights[run[0]]
        for i in range(1, len(run)):
            if run[i] not in following:
                return False
            weight, following = self._weights[run[: i + 1]]
        return weight < 0

    def _route(self, run: str) -> list[int]:
        """Return where each word of the most probable path ends."""
        weights, alone = self._weights, self._alone
        n = len(run)
        scores = [0.0] * (n + 1)
        ends = [0] * n
        for start in range(n - 1, -1, -1):
            stop = start + 1
            weight, following = weights[run[start]]
            best = weight + scores[stop] if weight else None
            ends[start] = stop
            while stop < n and run[stop] in following:
                stop += 1
                weight, following = weights[run[start:stop]]
                # Of two equally probable paths, jieba takes the one with the longer word.
                if weight and (best is None or weight + scores[stop] >= best):
                    best = weight + scores[stop]
                    ends[start] = stop
            if best is None:
                best = alone + scores[start + 1]
            scores[start] = best
        path = [0]
        while path[-1] < n:
            path.append(ends[path[-1]])
        return path[1:]


RunCutter = Callable[[str, bool], "Sequence[str] | None"]


@has_twin
def run_cutter(of_any: AnyCutter) -> RunCutter:
    """Return a function that cuts runs of characters that the model knows; None for other runs.

    Parameters
    ----------
    of_any : AnyCutter
        Cuts text of any characters, with the same dictionary.
    """
    return lambda run, HMM: of_any.cut(run, HMM) if not run or _is_chinese(run) else None


class CharacterModel:
    """Cuts runs of characters that form no known words, by the states of a hidden Markov model."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._probabilities = tuple(dictionary.probabilities)
        self._emissions = dictionary.emissions

    def cut(self, run: str) -> list[str]:
        """Return the words of a run of at least one character from U+4E00 to U+9FD5."""
        words: list[str] = []
        start = 0
        for i, state in enumerate(self._states(run), 1):
            if state in "ES":
                words.append(run[start:i])
                start = i
        return words

    def _states(self, run: str) -> list[str]:
        """Return the most probable states; ties go to the state that is later in the alphabet.

        Ties are common: every other number is lost when added to the logarithm of 0.
        """
        b, e, m, s, be, bm, eb, es, me, mm, sb, ss = self._probabilities
        emissions = self._emissions
        place = 4 * (ord(run[0]) - _FIRST)
        b += emissions[place]
        e += emissions[place + 1]
        m += emissions[place + 2]
        s += emissions[place + 3]
        before: list[dict[str, str]] = []
        for character in run[1:]:
            place = 4 * (ord(character) - _FIRST)
            of_b, of_e, of_m, of_s = emissions[place : place + 4]
            e_b, s_b = e + eb + of_b, s + sb + of_b
            b_e, m_e = b + be + of_e, m + me + of_e
            b_m, m_m = b + bm + of_m, m + mm + of_m
            e_s, s_s = e + es + of_s, s + ss + of_s
            before.append(
                {
                    "B": "S" if s_b >= e_b else "E",
                    "E": "M" if m_e >= b_e else "B",
                    "M": "M" if m_m >= b_m else "B",
                    "S": "S" if s_s >= e_s else "E",
                }
            )
            b, e, m, s = max(e_b, s_b), max(b_e, m_e), max(b_m, m_m), max(e_s, s_s)
        states = ["S" if s >= e else "E"]
        for origin in reversed(before):
            states.append(origin[states[-1]])
        states.reverse()
        return states


def load_segmenter() -> Segmenter:
    """Return a new segmenter with the dictionary and the character model of the installed jieba.

    Raises
    ------
    ModuleNotFoundError
        When jieba is not installed.
    """
    return Segmenter(load_dictionary())
