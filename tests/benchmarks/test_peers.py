import importlib
import sys
from pathlib import Path

import pytest

from spamnb.mail.sources import LabeledMail, RawMail

# They count words, and print in the forms of the manual pages (and of bogofilter 1.2.5 of Debian
# and SpamProbe 1.4d, which these tests were written beside).
FAKE = """#!{python} -SE
import os, sys
from pathlib import Path

arguments = sys.argv[1:]
bulk = "{name}" == "bogofilter"
if arguments == ["-V"]:
    print("bogofilter-sqlite version 1.2.5\\n    Database: SQLite 3.40.1" if bulk
          else "SpamProbe v1.4d using null database.\\n")
    sys.exit()
folder = Path(arguments[arguments.index("-d") + 1])
if bulk:
    assert arguments[0] == "-C" and arguments[-1] == "-b"
    files = sys.stdin.read().splitlines()
else:
    assert arguments[:2] == ["-8", "-M"]
    files = arguments[5:]
action = arguments[3 if bulk else 4]
words = {{}}
for label in ("good", "spam"):
    store = folder / label
    words[label] = store.read_text().split() if store.exists() else []
if action in ("-n", "-s", "train-good", "train-spam"):
    label = "spam" if action in ("-s", "train-spam") else "good"
    assert files
    with open(folder / label, "a") as store:
        store.writelines(Path(file).read_text() for file in files)
elif action == "create-db":
    assert folder.is_dir()
else:
    assert action in ("-TT", "score")
    for file in files:
        text = Path(file).read_text()
        assert text
        spam, good = (sum(w in words[label] for w in text.split()) for label in ("spam", "good"))
        p = 1.0 if spam and not good else 0.0 if good and not spam else .25
        print(f"{{file}} {{p:.16f}}" if bulk
              else f"{{'SPAM' if p > .7 else 'GOOD'}} {{p:.7f}} d41d8cd98f00b204e9800998ecf8427e")
    sys.exit(1 if bulk else 0)
"""


@pytest.fixture(scope="module")
def peers():
    return importlib.import_module("peers")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a fake bogofilter and spamprobe on the path, and nothing else."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("bogofilter", "spamprobe"):
        (folder / name).write_text(FAKE.format(name=name, python=sys.executable))
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return folder


TRAINING = [
    LabeledMail("ham", RawMail("1", b"Subject: x\n\nlunch\n")),
    LabeledMail("spam", RawMail("2", b"Subject: y\n\npills\n")),
    LabeledMail("ham", RawMail("3", b"minutes lunch", is_text=True)),
]


@pytest.mark.parametrize(
    ("name", "shown"), [("bogofilter", "bogofilter 1.2.5"), ("spamprobe", "spamprobe 1.4d")]
)
def test_programs_are_trained_and_score(peers, programs, tmp_path, name, shown) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    peer = peers.PeerFilter(peers.PEERS[name](scratch))
    assert peer.name == shown
    peer.train(TRAINING)
    mails = [
        RawMail("4", b"a\n\npills"),
        RawMail("5", b"pills lunch", is_text=True),
        RawMail("6", b"minutes", is_text=True),
        RawMail("7", b""),
    ]
    verdicts = peer.judge(mails)
    assert [verdict.label for verdict in verdicts] == ["spam", "ham", "ham", "ham"]
    assert [verdict.probability for verdict in verdicts] == pytest.approx([1, 0.25, 0, 0.25])
    assert verdicts[0].log_odds == float("inf")


@pytest.mark.parametrize("name", ["bogofilter", "spamprobe"])
def test_a_mail_without_a_score_is_an_error(peers, programs, tmp_path, name) -> None:
    peer = peers.PEERS[name](tmp_path)
    program = programs / name
    program.write_text(program.read_text().replace("for file in files:", "for file in files[1:]:"))
    with pytest.raises(RuntimeError, match=f"{name}: 1 mails, but 0 lines"):
        peer.score([RawMail("1", b"x")])


@pytest.mark.parametrize("name", ["bogofilter", "spamprobe"])
def test_a_program_that_fails_is_an_error(peers, programs, tmp_path, name) -> None:
    peer = peers.PEERS[name](tmp_path)
    failing = f"#!{sys.executable}\nimport sys; print('full', file=sys.stderr); sys.exit(3)\n"
    (programs / name).write_text(failing)
    with pytest.raises(RuntimeError, match="exit status 3: full"):
        peer.score([RawMail("1", b"x")])


@pytest.mark.parametrize("name", ["bogofilter", "spamprobe"])
def test_what_is_not_installed_is_left_out(peers, tmp_path, monkeypatch, name) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(peers.NotInstalledError, match=f"no {name} on the path"):
        peers.PEERS[name](tmp_path)


def test_scikit_learn_is_left_out_where_it_is_missing(peers, tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(peers.NotInstalledError, match="sklearn"):
        peers.PEERS["sklearn-bernoulli"](tmp_path)


@pytest.mark.parametrize("name", ["sklearn-multinomial", "sklearn-bernoulli", "sklearn-logistic"])
def test_scikit_learn(peers, tmp_path, name) -> None:
    pytest.importorskip("sklearn")
    peer = peers.PeerFilter(peers.PEERS[name](tmp_path))
    peer.train(TRAINING)
    spam, ham = peer.judge([RawMail("4", b"Subject: y\n\npills"), RawMail("5", b"lunch minutes")])
    assert ham.label == "ham"
    assert spam.log_odds > ham.log_odds


def test_the_table_has_a_row_for_each_peer(peers, programs, corpora, capsys) -> None:
    (programs / "spamprobe").unlink()
    accuracy = importlib.import_module("accuracy")
    arguments = ["--corpora", "texts.tsv", "--filters", "spamnb,spamprobe,bogofilter"]
    accuracy.main([corpora, *arguments])
    printed = capsys.readouterr().out
    assert "spamprobe is left out: there is no spamprobe on the path." in printed
    assert "| texts.tsv | bogofilter 1.2.5 | 30 → 30 | " in printed
    assert printed.count("| texts.tsv |") == 2
