import io

import pytest

from spamnb.errors import CorpusFormatError, InputNotFoundError, InputReadError
from spamnb.mail.corpora import IndexCorpus, JoinedCorpus, PathCorpus, TsvCorpus
from spamnb.mail.sources import Skipped


def mail(word):
    return b"Subject: %s\n\n" % word


def rows(corpus, *on_skip):
    return [(labeled.label, labeled.mail.data) for labeled in corpus.mails(*on_skip)]


@pytest.fixture
def folder(tmp_path):
    """A small TREC corpus."""
    (tmp_path / "data").mkdir()
    for name in ("1", "2", "a b"):
        (tmp_path / "data" / name).write_bytes(mail(name.encode()))
    (tmp_path / "full").mkdir()
    return tmp_path


@pytest.fixture
def index(folder):
    """Write an index file of some lines and return its path."""

    def write(data):
        (folder / "full/index").write_bytes(data)
        return str(folder / "full/index")

    return write


@pytest.fixture
def tsv(tmp_path):
    """Write a TSV file of some lines and return its path."""

    def write(data):
        (tmp_path / "texts.tsv").write_bytes(data)
        return str(tmp_path / "texts.tsv")

    return write


def test_an_index_is_read_relative_to_itself_in_its_order(index):
    corpus = IndexCorpus(index(b"spam ../data/2\nham ../data/1\nspam ../data/a b\n"))
    assert rows(corpus) == [("spam", mail(b"2")), ("ham", mail(b"1")), ("spam", mail(b"a b"))]
    assert corpus.labels == ("ham", "spam")
    assert corpus.is_sequence


def test_an_index_can_hold_absolute_paths(folder, index):
    path = bytes(folder / "data/1")
    assert rows(IndexCorpus(index(b"ham " + path + b"\n"))) == [("ham", mail(b"1"))]


def test_an_index_is_found_without_a_folder(folder, index, monkeypatch):
    index(b"ham ../data/1\n")
    monkeypatch.chdir(folder / "full")
    assert rows(IndexCorpus("index")) == [("ham", mail(b"1"))]


@pytest.mark.parametrize(
    "line",
    [b"ham ../data/1", b"Ham ../data/1\n", b"HAM  ../data/1 \r\n", b"\n  \nham ../data/1\n\n"],
)
def test_an_index_may_be_untidy(index, line):
    corpus = IndexCorpus(index(line))
    assert (corpus.labels, rows(corpus)) == (("ham",), [("ham", mail(b"1"))])


@pytest.mark.parametrize("line", [b"spam\n", b"spam \n", b" ../data/2\n"])
def test_a_bad_line_of_an_index_is_named(index, line):
    with pytest.raises(CorpusFormatError, match=r"index, line 3: expected 'label path'") as caught:
        IndexCorpus(index(b"ham ../data/1\n\n" + line))
    assert caught.value.line == 3


def test_a_missing_mail_of_an_index_is_an_error_or_told(folder, index):
    corpus, skipped = IndexCorpus(index(b"ham ../data/0\nspam ../data/2\nham ../data\n")), []
    with pytest.raises(InputReadError, match="No such file"):
        rows(corpus)
    assert rows(corpus, skipped.append) == [("spam", mail(b"2"))]
    assert skipped == [
        Skipped(str(folder / "full/../data/0"), "No such file or directory"),
        Skipped(str(folder / "full/../data"), "Is a directory"),
    ]
    assert corpus.labels == ("ham", "spam")


def test_a_tsv_holds_labeled_texts(tsv):
    path = tsv(b"Ham\thello\tyou\n\nspam\t" + "免费\r\n".encode() + b"spam\t")
    corpus = TsvCorpus(path)
    found = [(label, mail.source, mail.data.decode()) for label, mail in corpus.mails()]
    assert found == [
        ("ham", f"{path}#1", "hello\tyou"),
        ("spam", f"{path}#3", "免费"),
        ("spam", f"{path}#4", ""),
    ]
    assert all(mail.is_text for _, mail in corpus.mails())
    assert corpus.labels == ("ham", "spam")
    assert corpus.is_sequence


def test_a_tsv_need_not_be_utf8(tsv):
    corpus = TsvCorpus(tsv(b"spam\t" + "免费发票".encode("gbk") + b"\n"))
    assert rows(corpus) == [("spam", "免费发票".encode())]


@pytest.mark.parametrize("line", [b"no tab\n", b"\tno label\n", b" \tno label\n"])
def test_a_bad_line_of_a_tsv_is_named(tsv, line):
    with pytest.raises(CorpusFormatError, match=r"tsv, line 2: expected 'label TAB text'"):
        TsvCorpus(tsv(b"ham\thello\n" + line))


@pytest.mark.parametrize("corpus", [IndexCorpus, TsvCorpus, lambda path: PathCorpus("ham", path)])
def test_a_missing_corpus_is_an_error(corpus, tmp_path):
    with pytest.raises(InputNotFoundError, match="nowhere"):
        corpus(str(tmp_path / "nowhere"))


@pytest.mark.parametrize("corpus", [IndexCorpus, TsvCorpus])
def test_a_folder_is_no_index_and_no_tsv(corpus, tmp_path):
    with pytest.raises(InputReadError, match="Is a directory"):
        corpus(str(tmp_path))


def test_a_path_gives_all_its_mails_one_label(folder):
    corpus = PathCorpus("ham", str(folder / "data"))
    assert rows(corpus) == [("ham", mail(b"1")), ("ham", mail(b"2")), ("ham", mail(b"a b"))]
    assert rows(corpus) == rows(corpus)
    assert corpus.labels == ("ham",)
    assert not corpus.is_sequence


def test_a_path_tells_what_it_skips(folder):
    (folder / "data/0").symlink_to("nowhere")
    skipped = []
    assert len(rows(PathCorpus("ham", str(folder / "data")), skipped.append)) == 3
    assert skipped == [Skipped(str(folder / "data/0"), "No such file or directory")]


def test_a_dash_is_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(mail(b"1"))))
    assert rows(PathCorpus("spam", "-")) == [("spam", mail(b"1"))]


def test_joined_corpora_follow_one_another(folder, index):
    spam = PathCorpus("spam", str(folder / "data/2"))
    ham = PathCorpus("ham", str(folder / "data/1"))
    listed = IndexCorpus(index(b"promo ../data/a b\n"))
    corpus = JoinedCorpus([spam, listed, ham])
    assert corpus.labels == ("ham", "promo", "spam")
    assert rows(corpus) == [("spam", mail(b"2")), ("promo", mail(b"a b")), ("ham", mail(b"1"))]


@pytest.mark.parametrize(
    ("kinds", "is_sequence"), [("i", True), ("ii", True), ("ip", False), ("p", False)]
)
def test_only_joined_sequences_are_a_sequence(folder, index, kinds, is_sequence):
    made = {"i": IndexCorpus(index(b"ham ../data/1\n")), "p": PathCorpus("ham", str(folder))}
    assert JoinedCorpus([made[kind] for kind in kinds]).is_sequence == is_sequence
