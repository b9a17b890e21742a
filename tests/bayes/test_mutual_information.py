from __future__ import annotations

from math import log

import numpy as np
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.mutual_information import conditional_mutual_information, mutual_information
from tests.bayes.dependence import slow_conditional_information, slow_information
from tests.strategies import labeled_counts, modest


def counted(X, y):
    """(class_count, joint_count) of binary samples."""
    members = [X[y == label] for label in np.unique(y)]
    return np.array([len(m) for m in members]), np.array([m.T @ m for m in members])


@modest
@given(labeled_counts())
def test_mutual_information_equals_the_slow_one(labeled):
    X, y = (labeled[0] > 0).astype(float), labeled[1]
    class_count, joint_count = counted(X, y)
    information = mutual_information(class_count, np.diagonal(joint_count, axis1=1, axis2=2))
    expected = [slow_information(X, y, j) for j in range(X.shape[1])]
    assert_allclose(information, expected, rtol=0, atol=1e-10)


@modest
@given(labeled_counts())
def test_conditional_mutual_information_equals_the_slow_one(labeled):
    X, y = (labeled[0] > 0).astype(float), labeled[1]
    information = conditional_mutual_information(*counted(X, y))
    n = X.shape[1]
    expected = [
        [slow_conditional_information(X, y, i, j) if i != j else 0 for j in range(n)]
        for i in range(n)
    ]
    assert_allclose(information, expected, rtol=0, atol=1e-10)


def test_a_feature_that_is_the_class_tells_all_of_it():
    count = np.array([[2.0, 1.0], [0.0, 1.0]])
    assert_allclose(mutual_information(np.array([2.0, 2.0]), count), [log(2), 0], atol=1e-15)


def test_nothing_counted_tells_nothing():
    assert_array_equal(mutual_information(np.zeros(2), np.zeros((2, 3))), np.zeros(3))
    nothing = conditional_mutual_information(np.zeros(2), np.zeros((2, 3, 3)))
    assert_array_equal(nothing, np.zeros((3, 3)))
