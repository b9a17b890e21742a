from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from spamnb.errors import ParameterError
from spamnb.evaluation.online import OnlineCurve
from spamnb.filter.verdict import logistic
from tests.strategies import modest

ODDS = st.sampled_from([-3.0, -0.5, 0.0, 0.5, 3.0])


def curve_of(mails):
    labels, odds = zip(*mails, strict=True)
    probabilities = np.array([logistic(each) for each in odds])
    return OnlineCurve.from_scores(np.array(labels), np.array(odds), probabilities)


def share(hits):
    return sum(hits) / len(hits) if hits else float("nan")


@modest
@given(st.lists(st.tuples(st.sampled_from(["ham", "spam"]), ODDS), min_size=1, max_size=60))
def test_each_point_is_of_all_mails_so_far(mails):
    curve = curve_of(mails)
    for i, n in enumerate(curve.n_mails):
        ham = [odds for label, odds in mails[:n] if label == "ham"]
        spam = [odds for label, odds in mails[:n] if label == "spam"]
        assert (curve.n_ham[i], curve.n_spam[i]) == (len(ham), len(spam))
        got = (curve.ham_error[i], curve.spam_error[i], curve.one_minus_roca[i])
        wrong = [(h > s) + 0.5 * (h == s) for h in ham for s in spam]
        expected = share([o >= 0 for o in ham]), share([o < 0 for o in spam]), share(wrong)
        assert got == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("n", [1, 9, 10, 11, 40, 100_000])
def test_the_points_grow_to_the_number_of_mails(n):
    points = curve_of([("ham", -1.0), ("spam", 1.0)] * (n // 2) + [("ham", -1.0)] * (n % 2)).n_mails
    assert points[0] == min(n, 10)
    assert points[-1] == n
    assert len(points) <= 30
    assert np.all(np.diff(points) > 0)
    if n == 100_000:
        growth = points[1:] / points[:-1]
        assert growth.min() > 1.3
        assert growth.max() < 1.5


def test_one_label_has_no_error_of_the_other():
    curve = curve_of([("spam", 1.0)] * 12)
    assert_array_equal(curve.ham_error, np.nan)
    assert_array_equal(curve.one_minus_roca, np.nan)
    assert_array_equal(curve.spam_error, 0)
    assert curve.to_dict() == {
        "n_mails": [10, 11, 12],
        "n_ham": [0, 0, 0],
        "n_spam": [10, 11, 12],
        "ham_error": [None] * 3,
        "spam_error": [0.0] * 3,
        "one_minus_roca": [None] * 3,
    }


@pytest.mark.parametrize("labels", [[], ["ham", "ads"]])
def test_other_labels_or_none_are_refused(labels):
    numbers = np.zeros(len(labels))
    with pytest.raises(ParameterError, match="labels must be ham and spam"):
        OnlineCurve.from_scores(np.array(labels, dtype=np.str_), numbers, numbers)
