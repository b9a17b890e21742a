"""Texts that reach every branch of the tokenizer more often than plain chance would."""

from hashlib import sha256

from hypothesis import strategies as st

from spamnb.text.reading import Reading

PIECES = (
    *(" ", "  ", "\n", "\n" * 6, "\t", "\x0b", "\xa0", "\u3000"),
    *("the ", "Hello", "don't", "e-mail", "a_b9", "w" * 39, "x" * 41, "É", "ſ²", "\u0130x", "ß"),
    *("$", "!", "'", "-", "_", ".", ",", ":", ":-)", "@", "|", "+", "€", "£", "*", "/", "#"),
    *("v1agra", "fr33", "$ex", "p0rn!", "c4sh|", "l|ke", "1st", "me@ex4mple", "0", "2", "9", "٣"),
    *("v i a g r a", "V.I.A.G.R.A", "f-r-e-e", "a  b  c  d", "x y", "a", "B"),
    *("中文", "字体很好", "的", "𠀀", "、", "，", "ｆｕｌｌ", "か", "ナ", "한국어", "ไทย"),
    *(
        "\u200b",
        "vіаgrа",
        "ρayраl",
        "привет",
        "ᏚᏢ",
        "ﬁ",
        "①",
        "\ud800",
        "\udfff",
        "\U0001f600",
        "\0",
    ),
)

TEXTS = st.lists(st.sampled_from(PIECES), max_size=24).map("".join) | st.text(max_size=60)
"""Texts of words, punctuation and scripts, and any other texts."""

BASES = st.binary(max_size=4).map(lambda seed: int.from_bytes(sha256(seed).digest()[:8], "big") | 1)
"""Bases of fingerprints: random, as they always are; with 2**61 - 1 two words have the same."""

READINGS = st.builds(
    lambda subject, texts: Reading(subject, tuple(texts), (), (), (), {}),
    TEXTS,
    st.lists(TEXTS, max_size=3),
)
"""What there is to read in a mail."""
