import bz2
import gzip
import io
import lzma
import mailbox
import os
import random
import time
import tracemalloc
import zlib

import pytest

from spamnb.errors import InputNotFoundError, InputReadError
from spamnb.mail.parser import parse
from spamnb.mail.sources import (
    RawMail,
    Skipped,
    raise_skipped,
    read_mail,
    read_mails,
    read_one,
    read_stream,
)

MAILS = [
    b"Subject: one\n\nA plain mail.\nFrom here on, two lines.\n",
    b"Subject: two\nContent-Type: text/plain; charset=gb2312\n\n" + "发票。\n".encode("gb2312"),
    b"Subject: three\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nA part.\n--b--\n",
    b"Subject: four\n\nParagraphs.\n\nFrom time to time, after a blank line.\n\n\nEnd.\n",
]
FROM_LINE = b"From anna@example.com Fri Nov  6 10:00:00 2026\n"


def names(mails, folder):
    return [os.path.relpath(mail.source, folder) for mail in mails]


def write(folder, *paths):
    for path in paths:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"Subject: " + os.fsencode(path) + b"\n\n")


class Trickle(io.RawIOBase):
    """A stream that hands out its chunks one by one, as a pipe does."""

    def __init__(self, chunks):
        self._chunks = iter(chunks)
        self._rest = b""

    def readable(self):
        return True

    def readinto(self, buffer):
        self._rest = self._rest or next(self._chunks, b"")
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


# Files and folders


def test_a_file_is_one_mail(tmp_path):
    path = tmp_path / "1.eml"
    path.write_bytes(MAILS[0])
    assert list(read_mails(str(path))) == [RawMail(str(path), MAILS[0])]


def test_a_folder_is_read_at_any_depth_sorted(tmp_path):
    write(tmp_path, "b/2", "b/10", "b/1", "b/a/x", "a/y", "z", "10", "9", "README")
    expected = ["9", "10", "README", "z", "a/y", "b/1", "b/2", "b/10", "b/a/x"]
    assert names(read_mails(str(tmp_path)), tmp_path) == expected


def test_hidden_files_and_folders_are_passed_over(tmp_path):
    write(tmp_path, ".hidden", ".git/config", "a")
    assert names(read_mails(str(tmp_path)), tmp_path) == ["a"]


def test_a_hidden_folder_that_is_asked_for_is_read(tmp_path):
    write(tmp_path, ".Junk/a")
    assert names(read_mails(str(tmp_path / ".Junk")), tmp_path) == [".Junk/a"]


def test_an_empty_folder_holds_no_mail(tmp_path):
    assert list(read_mails(str(tmp_path))) == []


def test_of_a_maildir_new_and_cur_are_read(tmp_path):
    write(tmp_path, "new/1.a", "cur/2.a:2,S", "cur/10.a:2,", "tmp/3.a", ".Junk/cur/4.a", "sub/5")
    found = names(read_mails(str(tmp_path)), tmp_path)
    assert sorted(found) == ["cur/10.a:2,", "cur/2.a:2,S", "new/1.a"]


def test_maildirs_in_a_folder_are_found(tmp_path):
    write(tmp_path, "ham/new/1.a", "ham/cur/2.a", "ham/tmp/3.a", "spam/cur/4.a")
    (tmp_path / "spam/new").mkdir()
    found = names(read_mails(str(tmp_path)), tmp_path)
    assert sorted(found) == ["ham/cur/2.a", "ham/new/1.a", "spam/cur/4.a"]


def test_of_an_mh_folder_the_numbered_files_are_read(tmp_path):
    write(tmp_path, "1", "2", "10", ",12", "#13", ".mh_sequences", "sub/1")
    assert names(read_mails(str(tmp_path)), tmp_path) == ["1", "2", "10", "sub/1"]


def test_a_loop_of_symbolic_links_ends(tmp_path):
    write(tmp_path, "sub/a")
    (tmp_path / "sub/loop").symlink_to(tmp_path)
    assert names(read_mails(str(tmp_path)), tmp_path) == ["sub/a"]


def test_a_name_need_not_be_utf8(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff\xfe.eml"
    with open(path, "wb") as file:
        file.write(MAILS[0])
    assert list(read_mails(str(tmp_path))) == [RawMail(os.fsdecode(path), MAILS[0])]
    assert list(read_mails(os.fsdecode(path))) == [RawMail(os.fsdecode(path), MAILS[0])]


# What cannot be read


def test_a_missing_path_is_an_error(tmp_path):
    with pytest.raises(InputNotFoundError, match="nowhere"):
        list(read_mails(str(tmp_path / "nowhere")))


@pytest.mark.parametrize("asked", ["broken", ""], ids=["file", "folder"])
def test_an_unreadable_file_is_an_error_or_told(tmp_path, asked):
    write(tmp_path, "a")
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    path, skipped = str(tmp_path / asked), []
    with pytest.raises(InputReadError, match="broken: No such file"):
        list(read_mails(path))
    mails = list(read_mails(path, skipped.append))
    assert skipped == [Skipped(str(tmp_path / "broken"), "No such file or directory")]
    assert names(mails, tmp_path) == ([] if asked else ["a"])


def test_a_file_that_may_not_be_opened_is_told(tmp_path, monkeypatch):
    def refuse(path, mode, buffering=-1):
        raise PermissionError(13, "Permission denied", path)

    write(tmp_path, "a")
    monkeypatch.setattr("spamnb.mail.sources.open", refuse, raising=False)
    skipped = []
    assert list(read_mails(str(tmp_path), skipped.append)) == []
    assert list(read_mail(str(tmp_path / "a"), skipped.append)) == []
    assert skipped == [Skipped(str(tmp_path / "a"), "Permission denied")] * 2


def test_a_pipe_in_a_folder_is_told_and_not_waited_for(tmp_path):
    write(tmp_path, "a")
    os.mkfifo(tmp_path / "fifo")
    skipped = []
    assert names(read_mails(str(tmp_path), skipped.append), tmp_path) == ["a"]
    assert skipped == [Skipped(str(tmp_path / "fifo"), "not a file")]


def test_read_mail_tells_a_folder_in_place_of_a_file(tmp_path):
    skipped = []
    assert list(read_mail(str(tmp_path), skipped.append)) == []
    assert skipped == [Skipped(str(tmp_path), "Is a directory")]


def test_read_mail_reads_one_mail_whatever_is_in_it(tmp_path):
    data = FROM_LINE + MAILS[0] + b"\n" + FROM_LINE + MAILS[1]
    (tmp_path / "a").write_bytes(data)
    path = str(tmp_path / "a")
    assert list(read_mail(path)) == [RawMail(path, data)]


# Mailboxes


def split(data):
    return [(mail.source, mail.data) for mail in read_stream(io.BytesIO(data), "box")]


def subjects(data):
    return [(mail.source, parse(mail.data).subject) for mail in read_stream(io.BytesIO(data), "m")]


def test_one_mail_with_a_from_line_keeps_its_name():
    assert subjects(FROM_LINE + MAILS[0]) == [("m", "one")]


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_the_mails_of_an_mbox_are_numbered(line_end):
    box = b"".join(FROM_LINE + mail + b"\n" for mail in MAILS[:3]).replace(b"\n", line_end)
    assert subjects(box) == [("m#1", "one"), ("m#2", "two"), ("m#3", "three")]


@pytest.mark.parametrize(
    "body",
    [
        b"no blank line before\n" + FROM_LINE + b"Subject: no\n",
        b"\nFrom time to time I write.\n",
        b"\nFrom 10:00 to 12:00 we meet.\nAll of us.\n",
        b"\n" + FROM_LINE + b"no field follows\n",
    ],
)
def test_an_unquoted_from_in_a_body_does_not_split(body):
    assert len(split(FROM_LINE + b"Subject: s\n\nHello.\n" + body)) == 1


def test_a_quoted_from_loses_one_quote():
    data = FROM_LINE + b"Subject: s\n\n>From me\n>>From you\n> From him\n"
    ((_, mail),) = split(data)
    assert parse(mail).parts[0].text == "From me\n>From you\n> From him\n"


def test_the_blank_line_between_two_mails_belongs_to_neither():
    box = (FROM_LINE + b"Subject: s\n\nHello.\n\n") * 2
    assert [parse(data).parts[0].text for _, data in split(box)] == ["Hello.\n"] * 2


def test_a_stream_of_one_mail_is_one_mail():
    assert split(MAILS[3]) == [("box", MAILS[3])]
    assert split(b"") == [("box", b"")]


@pytest.mark.parametrize("first", [b"F", b"From "])
def test_a_pipe_that_trickles_is_read_like_a_file(first):
    data = FROM_LINE + MAILS[0] + b"\n" + FROM_LINE + MAILS[1]
    stream = Trickle([first, data[len(first) :]])
    assert [mail.source for mail in read_stream(stream)] == ["-#1", "-#2"]


def test_the_callers_stream_stays_open():
    stream = io.BytesIO(MAILS[0])
    list(read_stream(stream))
    assert not stream.closed


def as_files(folder):
    folder.mkdir()
    for number, mail in enumerate(MAILS):
        (folder / f"{number}.eml").write_bytes(mail)
    return read_mails(str(folder))


def as_box(kind, path):
    box = kind(path)
    for mail in MAILS:
        box.add(mail)
    box.close()
    return read_mails(str(path))


def as_stream(path):
    as_box(mailbox.mbox, path)
    return read_stream(io.BytesIO(path.read_bytes()))


PLACES = {
    "folder": as_files,
    "Maildir": lambda path: as_box(mailbox.Maildir, path),
    "MH": lambda path: as_box(mailbox.MH, path),
    "mbox": lambda path: as_box(mailbox.mbox, path),
    "stream": as_stream,
}


@pytest.mark.parametrize("place", PLACES)
def test_a_mail_is_the_same_wherever_it_lies(place, tmp_path):
    found = [parse(mail.data) for mail in PLACES[place](tmp_path / "mails")]
    expected = [parse(mail) for mail in MAILS]
    assert sorted(found, key=lambda message: message.subject) == sorted(
        expected, key=lambda message: message.subject
    )


def test_an_mbox_is_read_in_constant_memory():
    mail = FROM_LINE + b"Subject: s\n\n"
    stream = Trickle(mail * 1_000 for _ in range(100))
    start = time.process_time()
    tracemalloc.start()
    try:
        count = sum(1 for _ in read_stream(stream))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 100_000
    assert peak < 5_000_000
    assert time.process_time() - start < 10


def test_a_huge_mail_is_cut_at_the_limit():
    (whole,) = read_stream(io.BytesIO(b"Subject: s\n\n" + b"a" * 1_000), limit=100)
    assert len(whole.data) == 101  # one byte more tells the parser that there was more
    box = FROM_LINE + b"Subject: s\n\n" + b"a\n" * 500 + b"\n" + FROM_LINE + MAILS[0]
    huge, small = read_stream(io.BytesIO(box), limit=100)
    assert 100 < len(huge.data) < 200
    assert small.data == FROM_LINE + MAILS[0]


# Mailboxes that mail programs are at work on


def touch_after_the_first(mails, change):
    """Read the first mail, make a change, and read the rest."""
    iterator = iter(mails)
    first = next(iterator)
    change()
    return [first, *iterator]


def bodies(mails):
    return sorted(parse(mail.data).subject for mail in mails)


def test_a_mail_whose_flags_change_while_its_maildir_is_read_is_read(tmp_path):
    write(tmp_path, "cur/1.a:2,", "cur/2.a:2,", "cur/3.a:2,")
    (tmp_path / "new").mkdir()

    def change():
        (tmp_path / "cur/2.a:2,").rename(tmp_path / "cur/2.a:2,S")
        (tmp_path / "cur/3.a:2,").rename(tmp_path / "cur/3.a:2,FRS")

    found = touch_after_the_first(read_mails(str(tmp_path)), change)
    assert bodies(found) == ["cur/1.a:2,", "cur/2.a:2,", "cur/3.a:2,"]


def test_a_mail_that_moves_from_new_to_cur_while_it_is_read_is_read_once(tmp_path):
    write(tmp_path, "new/1.a", "new/2.a", "cur/3.a:2,")

    def change():
        (tmp_path / "new/1.a").rename(tmp_path / "cur/1.a:2,S")
        (tmp_path / "new/2.a").rename(tmp_path / "cur/2.a:2,")

    found = touch_after_the_first(read_mails(str(tmp_path)), change)
    assert bodies(found) == ["cur/3.a:2,", "new/1.a", "new/2.a"]


@pytest.mark.parametrize("place", ["cur", "folder"])
def test_a_mail_that_vanishes_while_its_folder_is_read_is_told(tmp_path, place):
    write(tmp_path, f"{place}/1", f"{place}/2", f"{place}/3")
    (tmp_path / "new").mkdir()
    skipped = []
    mails = read_mails(str(tmp_path), skipped.append)
    found = touch_after_the_first(mails, (tmp_path / place / "2").unlink)
    assert bodies(found) == [f"{place}/1", f"{place}/3"]
    assert skipped == [Skipped(str(tmp_path / place / "2"), "No such file or directory")]


def test_a_mail_that_is_renamed_at_the_last_moment_is_read(tmp_path, monkeypatch):
    def late(path, mode, buffering):
        if path.endswith("1.a:2,"):
            os.rename(path, path + "S")
        return open(path, mode, buffering)

    write(tmp_path, "cur/1.a:2,", "cur/2.a:2,")
    (tmp_path / "new").mkdir()
    monkeypatch.setattr("spamnb.mail.sources.open", late, raising=False)
    assert bodies(read_mails(str(tmp_path))) == ["cur/1.a:2,", "cur/2.a:2,"]


def test_the_folder_of_a_maildir_that_vanishes_is_told(tmp_path, monkeypatch):
    def scandir(path):
        raise FileNotFoundError(2, "No such file or directory", path)

    (tmp_path / "new").mkdir()
    monkeypatch.setattr(os, "scandir", scandir)
    skipped = []
    assert list(read_mails(str(tmp_path), skipped.append)) == []
    assert skipped == [Skipped(str(tmp_path), "No such file or directory")]


def test_an_mh_folder_with_sequences_is_read(tmp_path):
    box = mailbox.MH(tmp_path / "mh")
    for mail in MAILS:
        box.add(mail)
    box.set_sequences({"unseen": [1, 3], "cur": [2]})
    box.close()
    found = names(read_mails(str(tmp_path / "mh")), tmp_path / "mh")
    assert found == ["1", "2", "3", "4"]


def test_the_indexes_of_mail_programs_are_passed_over(tmp_path):
    write(tmp_path, "Inbox", "Inbox.msf", "Inbox.sbd/Work", "Inbox.sbd/Work.msf")
    write(tmp_path, "dovecot.index", "dovecot.index.log", "dovecot.index.cache", "dovecot-uidlist")
    write(tmp_path, "dovecot-keywords", "courierimapuiddb", "maildirfolder", ".mh_sequences")
    assert names(read_mails(str(tmp_path)), tmp_path) == ["Inbox", "Inbox.sbd/Work"]


def test_a_mail_about_dovecot_is_no_index(tmp_path):
    write(tmp_path, "dovecot-question.eml", "courierimap help.eml")
    assert len(list(read_mails(str(tmp_path)))) == 2


PLIST = b'<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict/></plist>\n'


@pytest.mark.parametrize(
    ("data", "mail"),
    [
        (b"%d\n" % len(MAILS[0]) + MAILS[0] + PLIST, MAILS[0]),
        (b"%-10d\n" % len(MAILS[0]) + MAILS[0] + PLIST, MAILS[0]),
        (b"99999\n" + MAILS[0], MAILS[0]),
        (MAILS[0], MAILS[0]),
        (b"-5\n" + MAILS[0], b"-5\n" + MAILS[0]),
        (b"", b""),
        (b"7", b""),
    ],
)
def test_a_mail_of_apple_mail(tmp_path, data, mail):
    path = tmp_path / "1.emlx"
    path.write_bytes(data)
    assert [found.data for found in read_mails(str(path))] == [mail]


def test_a_damaged_file_is_told_by_its_name_though_it_is_not_utf8(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff\xfe.gz"
    with open(path, "wb") as file:
        file.write(gzip.compress(MAILS[0])[:-9])
    skipped = []
    found = list(read_mails(str(tmp_path), skipped.append))
    assert [item.source for item in [*found, *skipped]] == [os.fsdecode(path)] * 2


# Compressed

COMPRESS = {
    "gzip": gzip.compress,
    "bzip2": lambda data: bz2.compress(data, 1),
    "xz": lzma.compress,
}
compressions = pytest.mark.parametrize("compress", COMPRESS.values(), ids=COMPRESS)


def boxed(n=1):
    return b"".join(FROM_LINE + mail + b"\n" for mail in MAILS[:3] * n)


def from_file(data, folder, on_skip):
    (folder / "box").write_bytes(data)
    return list(read_mails(str(folder / "box"), on_skip))


def from_stream(data, folder, on_skip):
    chunks = [data[at : at + 1_000] for at in range(0, len(data), 1_000)]
    return list(read_stream(Trickle(chunks), "box", on_skip))


origins = pytest.mark.parametrize("read", [from_file, from_stream])


@compressions
@origins
def test_a_compressed_mail_is_read(compress, read, tmp_path):
    skipped = []
    assert [m.data for m in read(compress(MAILS[0]), tmp_path, skipped.append)] == [MAILS[0]]
    assert skipped == []


@compressions
@origins
def test_a_compressed_mbox_is_read(compress, read, tmp_path):
    skipped = []
    found = read(compress(boxed()), tmp_path, skipped.append)
    assert [parse(mail.data).subject for mail in found] == ["one", "two", "three"]
    assert [mail.source.rpartition("#")[2] for mail in found] == ["1", "2", "3"]
    assert skipped == []


@compressions
def test_compressed_files_one_after_the_other_are_one(compress, tmp_path):
    found = from_file(compress(boxed()) + compress(boxed()), tmp_path, raise_skipped)
    assert len(found) == 6


def noisy_box(n_mails=1_000):
    """Mails that hardly compress, so that the compressed data come in many blocks."""
    noise = random.Random(1)
    return b"".join(
        FROM_LINE + b"Subject: %d\n\n%s\n\n" % (number, noise.randbytes(300).hex().encode())
        for number in range(n_mails)
    )


def cut(data):
    return data[: len(data) * 2 // 3]


def overwritten(data):
    middle = len(data) * 2 // 3
    return data[:middle] + bytes(1_000) + data[middle + 1_000 :]


@compressions
@origins
@pytest.mark.parametrize("damage", [cut, overwritten])
def test_of_damaged_data_what_comes_before_is_read(compress, read, damage, tmp_path):
    skipped = []
    found = read(damage(compress(noisy_box())), tmp_path, skipped.append)
    # gzip decompresses some noise before it notices; bzip2 works in large blocks.
    assert 400 < len(found) < 750
    assert [parse(mail.data).subject for mail in found[:400]] == [str(n) for n in range(400)]
    assert [item.reason.partition(":")[0] for item in skipped] == [
        "the compressed data are damaged"
    ]


@compressions
@origins
def test_without_on_skip_damaged_data_are_an_error(compress, read, tmp_path):
    with pytest.raises(InputReadError, match="the compressed data are damaged"):
        read(cut(compress(noisy_box(100))), tmp_path, raise_skipped)


@compressions
@pytest.mark.parametrize("size", [6, 12, 20])
def test_next_to_nothing_of_compressed_data_is_told(compress, size, tmp_path):
    skipped = []
    found = from_file(compress(MAILS[0])[:size], tmp_path, skipped.append)
    assert MAILS[0].startswith(b"".join(mail.data for mail in found))
    assert all(mail.data for mail in found)
    assert len(skipped) == 1


@pytest.mark.parametrize("text", [b"BZhang wrote:\nHello.\n", b"BZh", b"\x1f", b"\xfd7zX"])
def test_what_only_begins_like_compressed_data_is_text(text, tmp_path):
    assert [mail.data for mail in from_file(text, tmp_path, raise_skipped)] == [text]


@pytest.fixture(scope="module")
def bomb():
    """200 MB of zeros, after the beginning of an mbox, in 200 KB."""

    def compressed(start):
        pack = zlib.compressobj(1, wbits=31)
        pieces = [pack.compress(start), *(pack.compress(bytes(1 << 20)) for _ in range(200))]
        return b"".join([*pieces, pack.compress(b"\n\n" + boxed()), pack.flush()])

    return {start: compressed(start) for start in (b"", FROM_LINE + b"Subject: s\n\n")}


@pytest.mark.parametrize("start", [b"", FROM_LINE + b"Subject: s\n\n"], ids=["mail", "mbox"])
def test_a_bomb_is_read_in_little_memory(bomb, start):
    stream = io.BytesIO(bomb[start])
    begin = time.process_time()
    tracemalloc.start()
    try:
        sizes = [len(mail.data) for mail in read_stream(stream)]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(sizes) == (4 if start else 1)
    assert sizes[0] >= 32 << 20
    assert peak < 100_000_000
    assert time.process_time() - begin < 3


@compressions
def test_one_compressed_mail_is_read_from_a_stream(compress):
    assert read_one(io.BytesIO(compress(MAILS[0]))) == RawMail("-", MAILS[0])
