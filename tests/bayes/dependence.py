"""Slow oracles and data for the models in which a feature depends on another one."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import inf, log

import numpy as np

# A table of three features and the class, one row per mail: offer, free, meeting.
TABLE = """
1 1 0 spam
1 1 0 spam
1 0 0 spam
0 1 1 spam
0 0 1 ham
0 0 1 ham
1 0 1 ham
0 1 0 ham
0 0 0 ham
"""
TABLE_X = np.array([[int(c) for c in line.split()[:-1]] for line in TABLE.strip().splitlines()])
TABLE_Y = np.array([line.split()[-1] for line in TABLE.strip().splitlines()])


def log0(value):
    return log(value) if value > 0 else -inf


def share(X, y, label, alpha, wanted, given):
    """The smoothed log P(x_j = a | label, x_i = b for the given), by counting rows."""
    (j, a), matching = wanted, 0
    total = 0
    for row, own in zip(X, y, strict=True):
        if own == label and all(row[i] == b for i, b in given):
            total += 1
            matching += row[j] == a
    return log0((matching + alpha) / (total + 2 * alpha)) if total + alpha else -inf


def slow_tree_joint(X, y, parents, alpha, rows):
    """log P(c, x) of a one-dependence model, parents as {feature: parent or None}."""
    n, joint = Counter(y.tolist()), []
    for row in rows:
        scores = []
        for label in sorted(n):
            score = log(n[label] / len(y))
            for j, parent in parents.items():
                given = [] if parent is None else [(parent, row[parent])]
                score += share(X, y, label, alpha, (j, row[j]), given)
            scores.append(score)
        joint.append(scores)
    return np.array(joint)


def slow_aode_joint(X, y, m, alpha, rows):
    """log of the mean of the one-parent models of which the parent's value was seen m times."""
    features = range(X.shape[1])
    joint = []
    for row in rows:
        parents = [i for i in features if sum(X[:, i] == row[i]) >= m]
        if not parents:
            joint.append(slow_tree_joint(X, y, dict.fromkeys(features), alpha, [row])[0])
            continue
        models = [
            slow_tree_joint(X, y, {j: None if j == i else i for j in features}, alpha, [row])[0]
            for i in parents
        ]
        with np.errstate(divide="ignore"):
            joint.append(np.log(np.exp(models).mean(axis=0)))
    return np.array(joint)


def slow_conditional_information(X, y, i, j):
    """I(X_i; X_j | C) by the sum over all values."""
    n, total = len(y), 0.0
    for label, a, b in product(sorted(set(y)), (0, 1), (0, 1)):
        own = y == label
        both = np.sum(own & (X[:, i] == a) & (X[:, j] == b))
        if both:
            one, other = np.sum(own & (X[:, i] == a)), np.sum(own & (X[:, j] == b))
            total += both / n * log(both * np.sum(own) / (one * other))
    return total


def slow_information(X, y, j):
    """I(X_j; C) by the sum over all values."""
    n, total = len(y), 0.0
    for label, a in product(sorted(set(y)), (0, 1)):
        both = np.sum((y == label) & (X[:, j] == a))
        if both:
            total += both / n * log(both * n / (np.sum(y == label) * np.sum(X[:, j] == a)))
    return total
