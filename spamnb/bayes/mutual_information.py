"""Mutual information of binary features, with the class and with one another."""

from __future__ import annotations

import numpy as np

from spamnb.features.matrix import Floats


def mutual_information(class_count: Floats, feature_count: Floats) -> Floats:
    """Return I(X_j; C): the mutual information of each feature's presence and the class.

    Parameters
    ----------
    class_count : ndarray of shape (n_classes,)
        The (weighted) number of samples of each class.
    feature_count : ndarray of shape (n_classes, n_features)
        Those of them that have the feature.

    Returns
    -------
    ndarray of shape (n_features,)
        In nats, from the unsmoothed frequencies (Manning, Raghavan and Schütze, IR-book,
        eq. 13.17).
    """
    of_class = class_count[:, np.newaxis]
    total = class_count.sum()
    information = np.zeros(feature_count.shape[1])
    for count in (feature_count, of_class - feature_count):
        information += _n_log_ratio(count, total, of_class * count.sum(axis=0)).sum(axis=0)
    return information / (total or 1.0)


def conditional_mutual_information(class_count: Floats, joint_count: Floats) -> Floats:
    """Return I(X_i; X_j | C): the mutual information of two features given the class.

    Parameters
    ----------
    class_count : ndarray of shape (n_classes,)
        The (weighted) number of samples of each class.
    joint_count : ndarray of shape (n_classes, n_features, n_features)
        Those of them that have both features; on the diagonal, those that have the one.

    Returns
    -------
    ndarray of shape (n_features, n_features)
        In nats, from the unsmoothed frequencies (Friedman, Geiger and Goldszmidt, Machine
        Learning 29, 1997, section 4); 0 on the diagonal.
    """
    information = np.zeros(joint_count.shape[1:])
    for total, both in zip(class_count, joint_count, strict=True):
        present = np.diagonal(both)
        absent = total - present
        one = present[:, np.newaxis] - both
        for count, i, j in (
            (both, present, present),
            (one, present, absent),
            (one.T, absent, present),
            (absent - one, absent, absent),
        ):
            information += _n_log_ratio(count, total, np.outer(i, j))
    np.fill_diagonal(information, 0.0)
    return information / (class_count.sum() or 1.0)


def _n_log_ratio(count: Floats, total: float, product: Floats) -> Floats:
    """Return n log (n N / (n_i n_j)), which is 0 for n = 0 (or less, by rounding)."""
    is_there = (count > 0) & (product > 0)
    safe = np.where(is_there, count, 1.0)
    ratio = safe * total / np.where(is_there, product, 1.0)
    return np.where(is_there, safe * np.log(np.where(is_there, ratio, 1.0)), 0.0)
