from __future__ import annotations

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from spamnb.bayes.aode import AODE
from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.ode import SPODE
from spamnb.errors import ParameterError
from tests.bayes.dependence import TABLE_X, TABLE_Y, slow_aode_joint
from tests.strategies import labeled_counts, modest


def test_the_hand_worked_table():
    # Judging offer = 1, free = 1, meeting = 0, with α = 1 and all parents.  Of 4 spam mails,
    # offer stands in 3, free in 3, meeting in 1; of 5 ham mails, in 1, 1 and 3.
    spam = [
        4 / 6 * 3 / 5 * 4 / 5,  # offer; among the 3 with it 2 have free, 3 no meeting
        4 / 6 * 3 / 5 * 3 / 5,  # free; among the 3 with it 2 have offer, 2 no meeting
        4 / 6 * 4 / 5 * 3 / 5,  # no meeting; among the 3 without it 3 have offer, 2 free
    ]
    ham = [
        2 / 7 * 1 / 3 * 1 / 3,  # offer; the one with it has no free, and a meeting
        2 / 7 * 1 / 3 * 2 / 3,  # free; the one with it has no offer, no meeting
        3 / 7 * 1 / 4 * 2 / 4,  # no meeting; of the 2 without it none has offer, one free
    ]
    estimator = AODE(m=0).fit(TABLE_X, TABLE_Y)
    joint = np.exp(estimator.predict_joint_log_proba([[1, 1, 0]]))
    assert_allclose(joint, [[5 / 9 * np.mean(ham), 4 / 9 * np.mean(spam)]], rtol=1e-12)


def test_the_textbook_smoothing_of_the_joint_probability():
    # Zhou Zhihua, eq. 7.24: (N(c, x_i) + 1) / (N + classes · values).
    estimator = AODE(prior_alpha=2).fit(TABLE_X, TABLE_Y)
    of_parent = estimator.class_log_prior_[:, np.newaxis] + estimator.parent_log_prob_[:, 1]
    assert_allclose(np.exp(of_parent), np.array([[2, 2, 4], [4, 4, 2]]) / (9 + 4), rtol=1e-12)


@modest
@given(labeled_counts(), labeled_counts(), st.integers(0, 5), st.sampled_from([0.0, 0.1, 1.0]))
def test_scores_equal_the_slow_ones(labeled, others, m, alpha):
    X, y = labeled[0] > 0, labeled[1]
    rows = np.resize(others[0] > 0, (len(others[0]), X.shape[1]))
    joint = AODE(m=m, alpha=alpha).fit(X, y).predict_joint_log_proba(rows)
    assert_allclose(joint, slow_aode_joint(X, y, m, alpha, rows), rtol=1e-10, atol=1e-10)


@modest
@given(labeled_counts())
def test_without_a_frequent_parent_naive_bayes_judges(labeled):
    X, y = labeled
    expected = BernoulliNB().fit(X, y).predict_joint_log_proba(X)
    got = AODE(m=len(y) + 1).fit(X, y).predict_joint_log_proba(X)
    assert_allclose(got, expected, rtol=1e-10, atol=1e-12)


@modest
@given(labeled_counts())
def test_the_average_is_over_one_parent_models(labeled):
    X, y = labeled
    models = [SPODE(parent=i).fit(X, y) for i in range(X.shape[1])]
    scores = np.mean([np.exp(m.predict_joint_log_proba(X)) for m in models], axis=0)
    got = AODE(m=0).fit(X, y).predict_joint_log_proba(X)
    assert_allclose(got, np.log(scores), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("m", [-1, nan, [1, 2], None])
def test_a_limit_that_cannot_work_is_refused(m):
    with pytest.raises(ParameterError) as caught:
        AODE(m=m).fit(TABLE_X, TABLE_Y)
    assert str(caught.value) == f"m must be a number ≥ 0, got {m}"
