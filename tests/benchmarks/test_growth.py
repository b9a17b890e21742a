"""The benchmark of growth: repeated mails get new tokens, and the table says what came out."""

import json
from itertools import islice, pairwise

import pytest


@pytest.fixture
def growth():
    import growth

    return growth


@pytest.fixture
def index(corpora):
    return f"{corpora}/mails.index"


def test_a_repetition_has_new_tokens_in_the_place_of_some(growth, index, tmp_path):
    path = str(tmp_path / "tokens")
    growth.write_tokens(growth.IndexCorpus(index), path)
    mails = list(islice(growth.read_tokens(path), 360))
    first, second, third = mails[:120], mails[120:240], mails[240:]
    assert [mail.label for mail in first] == [mail.label for mail in third]
    seen = [{token for mail in part for token in mail.tokens} for part in (first, second, third)]
    for number, (before, after) in enumerate(pairwise(seen), 1):
        new = after - before - seen[0]
        assert all(token.endswith(f"~{number}") for token in new)
        assert 0.1 < len(new) / len(after) < 0.4
    assert {len(mail.tokens) for mail in first} == {len(mail.tokens) for mail in second}


def test_the_table_and_the_numbers_for_a_picture(growth, index, tmp_path, capsys):
    out = tmp_path / "growth.json"
    memory = ["--max-memory", str(1 << 20)]
    growth.main([index, "--sizes", "100", "900", *memory, "--json", str(out)])
    table = capsys.readouterr().out.splitlines()
    assert table[0].startswith("| mails | seconds |")
    small, large = json.loads(out.read_text())["rows"]
    assert (small["mails"], large["mails"]) == (100, 900)
    assert small["kept"] < large["seen"]
    assert large["kept"] < large["seen"]
    assert large["times_forgotten"] >= 1
    assert large["calibrated_on"] < 900
    assert 10e6 < small["peak_bytes"] < 1e9
    assert table[3].count("|") == len(growth.COLUMNS) + 1


def test_mails_in_files_are_trained_on_by_the_command(growth, index, tmp_path):
    out = tmp_path / "growth.json"
    growth.main([index, "--raw", "--sizes", "100", "500", "--json", str(out)])
    rows = json.loads(out.read_text())["rows"]
    assert [row["mails"] for row in rows] == [100, 120]
    assert rows[0]["threshold"] is None
