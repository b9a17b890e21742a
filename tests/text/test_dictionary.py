import functools
import os
import random
import subprocess
import sys
from importlib.machinery import BuiltinImporter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.text import dictionary as module
from spamnb.text.dictionary import Dictionary, load_dictionary, make_table
from tests.strategies import few
from tests.text.jieba_itself import finalseg, jieba_tokenizer

ROOT = Path(__file__).parents[2]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "spamnb"


@pytest.fixture(scope="module")
def loaded():
    return load_dictionary()


@pytest.fixture(scope="module")
def content():
    return make_table(module._jieba_folder())


def only(folder):
    (path,) = folder.iterdir()
    return path


def answers(dictionary):
    found = (dictionary.look_up(f) for f in ("中", "中国", "中国人民解", "龥龥", "a"))
    return dictionary.total, [(frequency, sorted(following)) for frequency, following in found]


def followers(frequencies):
    """Return the characters that follow each fragment, from jieba's frequencies of them all."""
    characters = {fragment: set() for fragment in frequencies}
    for fragment in frequencies:
        if len(fragment) > 1:
            characters[fragment[:-1]].add(fragment[-1])
    return characters


def assert_all_found(dictionary, jieba):
    assert dictionary.total == jieba.total
    following = followers(jieba.FREQ)
    for fragment, frequency in jieba.FREQ.items():
        found = dictionary.look_up(fragment)
        assert (found[0], set(found[1])) == (frequency, following[fragment]), fragment


def test_every_fragment_is_found_as_jieba_finds_it(loaded):
    assert_all_found(loaded, jieba_tokenizer())
    assert len(jieba_tokenizer().FREQ) > 400_000


def test_what_is_no_fragment_is_not_found(loaded):
    frequencies = jieba_tokenizer().FREQ
    draw = random.Random(1)
    known = draw.sample(sorted(frequencies), 20_000)
    others = [f + draw.choice(known)[0] for f in known] + [f[::-1] for f in known]
    others += [chr(i) for i in range(0x21, 0x10000) if not 0xD800 <= i < 0xE000]
    absent = [f for f in others if f not in frequencies]
    assert len(absent) > 20_000
    assert {loaded.look_up(f) for f in absent} == {(0, "")}


def test_letters_have_jiebas_probabilities(loaded):
    assert list(loaded.probabilities[:4]) == [finalseg.start_P[state] for state in "BEMS"]
    transitions = {a + b: p for a, after in finalseg.trans_P.items() for b, p in after.items()}
    assert dict(zip(module.TRANSITIONS, loaded.probabilities[4:], strict=True)) == transitions
    characters = map(chr, range(0x4E00, 0x9FD6))
    emit, never = finalseg.emit_P, finalseg.MIN_FLOAT
    expected = [emit[state].get(c, never) for c in characters for state in "BEMS"]
    assert list(loaded.emissions) == expected


# The dictionary's form


constant = functools.cache(module._constant)  # the character model takes half a second to compile


def table_of(folder, lines):
    """Make a table of a dictionary of these lines, and jieba's own reading of it."""
    tokenizer = jieba_tokenizer(fresh=True)
    for name in module._DATA_FILES[1:]:
        target = folder / name
        target.parent.mkdir(exist_ok=True)
        if not target.exists():
            target.symlink_to(Path(module._jieba_folder()) / name)
    (folder / "dict.txt").write_bytes("".join(line + "\n" for line in lines).encode())
    with open(folder / "dict.txt", "rb") as stream:
        tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(stream)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_constant", lambda path: constant(os.path.realpath(path)))
        return Dictionary(make_table(str(folder))), tokenizer


WORDS = st.text("一丁七丈ab+\U00020000", min_size=1, max_size=5)
LINES = st.lists(st.tuples(WORDS, st.integers(0, 1000), st.sampled_from(["", " n", " nz"])))


@few
@given(lines=LINES, others=st.lists(WORDS))
def test_any_dictionary_is_read_as_jieba_reads_it(tmp_path_factory, lines, others):
    lines = [f"{word} {n}{tag}" for word, n, tag in lines] + ["一 1"]
    table, jieba = table_of(tmp_path_factory.mktemp("jieba"), lines)
    assert_all_found(table, jieba)
    assert {table.look_up(f) for f in others if f not in jieba.FREQ} <= {(0, "")}


@pytest.mark.parametrize("line", ["", "中国", "中国 many", "中国 n 5"])
def test_another_line_is_an_error_as_for_jieba(tmp_path, line):
    with pytest.raises(ValueError, match="invalid dictionary entry"):
        table_of(tmp_path, ["一 1", line])
    with pytest.raises(ValueError, match=r"unpack|invalid literal"):
        make_table(str(tmp_path))


# The cache


def test_the_table_is_made_once(cache, monkeypatch):
    first = answers(load_dictionary())
    monkeypatch.setattr(module, "make_table", None)  # not called again
    assert answers(load_dictionary()) == first
    assert only(cache).name.startswith("words-1-")


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:100],
        lambda content: content[:-1],
        lambda content: content + b"\n",
        lambda content: b"spamnb words 0" + content[14:],
        lambda content: content[:256] + bytes(len(content) - 256),
        lambda content: content[:-1000] + b"0" + content[-999:],
    ],
)
def test_a_damaged_table_is_made_anew(cache, damage, content, monkeypatch):
    monkeypatch.setattr(module, "make_table", lambda folder: content)
    right = answers(load_dictionary())
    only(cache).write_bytes(damage(content))
    assert answers(load_dictionary()) == right
    assert only(cache).read_bytes() == content


def test_another_dictionary_has_another_table(cache, tmp_path, monkeypatch):
    table_of(tmp_path, ["一 1"])
    monkeypatch.setattr(module, "_jieba_folder", lambda: str(tmp_path))
    assert load_dictionary().total == 1
    (tmp_path / "dict.txt").write_text("一 2\n", "utf-8")
    assert load_dictionary().total == 2
    assert len(list(cache.iterdir())) == 2


def test_without_a_cache_folder_the_dictionary_is_read(tmp_path, monkeypatch, loaded):
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert answers(load_dictionary()) == answers(loaded)


def test_without_jieba_it_says_what_is_missing(monkeypatch):
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(sys, "meta_path", [BuiltinImporter])
    monkeypatch.delitem(sys.modules, "jieba", raising=False)
    with pytest.raises(ModuleNotFoundError, match="No module named 'jieba'"):
        load_dictionary()


def test_processes_that_make_it_together_do_not_disturb_each_other(cache):
    code = (
        "from spamnb.text.dictionary import load_dictionary as load\n"
        "print(load().look_up('中国')[0], load().look_up('中国')[0])"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "cwd": ROOT}
    processes = [subprocess.Popen(command, **pipes) for _ in range(3)]
    printed = [process.communicate(timeout=60)[0].split() for process in processes]
    assert printed == 3 * [2 * [str(load_dictionary().look_up("中国")[0]).encode()]]
    assert only(cache).name.startswith("words-1-")
