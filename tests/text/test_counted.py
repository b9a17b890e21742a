"""Counted tokens are the tokens, each as often as it comes."""

import pickle
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from spamnb.features.vectorizer import CountVectorizer
from spamnb.text.counted import TokenCounter, TokenReceiver, TokenSender, count_tokens

MAILS = st.lists(st.lists(st.sampled_from("abcdef")))


@given(MAILS)
def test_they_are_the_tokens(mails):
    counter = TokenCounter()
    counted = pickle.loads(pickle.dumps([counter(tokens) for tokens in mails]))
    for got, tokens in zip(counted, mails, strict=True):
        assert Counter(got) == Counter(tokens) == count_tokens(got) == count_tokens(tokens)
        assert len(got) == len(tokens)
        assert all(token in got for token in tokens)
        assert "z" not in got
        assert got == TokenCounter()(tokens)
        assert got != TokenCounter()([*tokens, "z"])
        assert got.shared is counted[0].shared
    assert len(set(counter(()).shared)) == len(counter(()).shared)


@given(MAILS, MAILS)
def test_a_vectorizer_learns_them_as_it_learns_tokens(first, second):
    counters = TokenCounter(), TokenCounter()
    counted = [c(t) for c, mails in zip(counters, (first, second), strict=True) for t in mails]
    one, other = CountVectorizer(), CountVectorizer()
    X, Y = one.learn(counted), other.learn([*first, *second])
    assert list(one.vocabulary) == list(other.vocabulary)
    assert X.shape == Y.shape
    assert (X.indptr == Y.indptr).all()
    assert (X.indices == Y.indices).all()
    assert (X.data == Y.data).all()
    assert (one.transform(counted).data == one.transform([*first, *second]).data).all()


@given(st.lists(MAILS.filter(len)), st.integers(1, 3))
def test_what_is_sent_arrives(batches, most):
    counter, send, receive = TokenCounter(), TokenSender(), TokenReceiver()
    n_sent = 0
    arrived = []
    for mails in batches:
        counted = [counter(tokens) for tokens in mails]
        new = send(counted)
        n_sent += len(new.tokens)
        received, new = pickle.loads(pickle.dumps((counted, new)))
        receive(received, new)
        arrived += zip(received, mails, strict=True)
        assert n_sent == len(counter(()).shared)  # each token once
        if n_sent > most:
            counter, n_sent = TokenCounter(), 0
    for got, tokens in arrived:
        assert count_tokens(got) == count_tokens(tokens)


def test_many_lists_in_turn_are_learned_as_tokens_are():
    counters = [TokenCounter() for _ in range(40)]
    mails = [[f"{n % 7}", f"{n % 11}", "a"] for n in range(400)]
    counted = [counters[n * n % 40](tokens) for n, tokens in enumerate(mails)]
    one, other = CountVectorizer(), CountVectorizer()
    assert (one.learn(counted).toarray() == other.learn(mails).toarray()).all()
