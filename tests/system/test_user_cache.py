import os
import stat

import pytest

from spamnb.system import user_cache
from spamnb.system.user_cache import read_cached, write_cached


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_written_is_read(home):
    write_cached("table", b"content")
    assert bytes(read_cached("table")) == b"content"


def test_only_the_user_may_read_it(home):
    write_cached("table", b"content")
    assert (mode(home / "spamnb"), mode(home / "spamnb" / "table")) == (0o700, 0o600)


def test_a_missing_parent_is_made_for_the_user_alone(home, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    write_cached("table", b"content")
    assert mode(home / "cache") == 0o700
    assert bytes(read_cached("table")) == b"content"


@pytest.mark.parametrize("named", [None, "", "relative"])
def test_the_cache_is_in_the_home_folder(home, monkeypatch, named):
    monkeypatch.delenv("XDG_CACHE_HOME")
    if named is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", named)
    monkeypatch.setenv("HOME", str(home))
    write_cached("table", b"content")
    assert (home / ".cache" / "spamnb" / "table").read_bytes() == b"content"
    assert bytes(read_cached("table")) == b"content"


def test_a_file_that_is_not_there_is_none(home):
    assert read_cached("table") is None
    assert list(home.iterdir()) == []


def test_an_empty_file_is_none(home):
    write_cached("table", b"")
    assert read_cached("table") is None


@pytest.mark.parametrize("permissions", [0o620, 0o602])
def test_a_file_that_others_may_write_is_none(home, permissions):
    write_cached("table", b"content")
    (home / "spamnb" / "table").chmod(permissions)
    assert read_cached("table") is None


def test_a_file_of_another_user_is_none(home, monkeypatch):
    write_cached("table", b"content")
    monkeypatch.setattr(user_cache.os, "geteuid", lambda: os.getuid() + 1)
    assert read_cached("table") is None


def test_a_link_is_none(home):
    write_cached("table", b"content")
    (home / "spamnb" / "link").symlink_to("table")
    assert read_cached("link") is None


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_none_at_once(home, make):
    write_cached("table", b"content")
    make(home / "spamnb" / "other")
    assert read_cached("other") is None


@pytest.mark.parametrize(
    ("folder", "permissions"), [(".", 0o1777), (".", 0o702), ("spamnb", 0o770), ("spamnb", 0o707)]
)
def test_nothing_is_written_where_others_may_write(home, folder, permissions):
    (home / "spamnb").mkdir(mode=0o700)
    (home / folder).chmod(permissions)
    write_cached("table", b"content")
    assert list((home / "spamnb").iterdir()) == []


def test_nothing_is_written_into_a_folder_of_another_user(home, monkeypatch):
    monkeypatch.setattr(user_cache.os, "geteuid", lambda: os.getuid() + 1)
    write_cached("table", b"content")
    assert list(home.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_no_error(home, monkeypatch):
    (home / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "file"))
    write_cached("table", b"content")
    assert read_cached("table") is None


def test_a_file_that_cannot_be_written_is_no_error_and_leaves_nothing(home, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    write_cached("table", b"content")
    assert list((home / "spamnb").iterdir()) == []


def test_without_a_home_nothing_is_written(home, monkeypatch):
    monkeypatch.chdir(home)
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(user_cache.os.path, "expanduser", lambda path: path)
    write_cached("table", b"content")
    assert read_cached("table") is None
    assert list(home.iterdir()) == []
