"""Compiled segmentation; that it cuts as jieba does, `tests.text.test_segmentation` tells."""

import random

import pytest

from spamnb.text.dictionary import load_dictionary
from spamnb.text.segmentation import load_segmenter

native = pytest.importorskip("spamnb.text.native.segmentation")


@pytest.fixture(scope="module")
def cutter():
    return native.Cutter(load_dictionary())


@pytest.mark.parametrize("text", ["中a", "a", "㐀中", "中鿖", "中 国", "中\ud800", "𠀀", "，"])
def test_it_leaves_what_has_other_letters(cutter, text):
    assert cutter.cut(text) is None


def test_of_nothing_there_is_nothing(cutter):
    assert cutter.cut("") == []


def test_long_and_short_runs_in_turn(cutter):
    draw = random.Random(5)
    plain = load_segmenter()
    for size in (1, 500, 2, 3_000, 1, 40):
        for HMM in (True, False):
            run = "".join(chr(draw.randint(0x4E00, 0x9FD5)) for _ in range(size))
            assert cutter.cut(run, HMM) == list(plain._cut(run, HMM)), (run, HMM)
