"""Tree-augmented naive Bayes: the parents form the most informative tree."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from spamnb.bayes.mutual_information import conditional_mutual_information
from spamnb.bayes.ode import TreeNB, check_column
from spamnb.features.matrix import Floats, Ints


class TAN(TreeNB):
    """Tree-augmented naive Bayes (Friedman, Geiger and Goldszmidt, Machine Learning 29, 1997).

    The tree is the maximum spanning tree of the chosen features, weighted by their mutual
    information given the class; edges point away from the root.

    Parameters
    ----------
    root : int, optional
        The column of the root, which is always among the chosen features; by default the feature
        with the most information about the class.
    alpha, k, fit_prior, class_prior, prior_alpha
        As in `JointCountNB`.

    Attributes
    ----------
    root_ : int
        The column of the root; -1 without features.

    Examples
    --------
    >>> from spamnb.bayes import TAN
    >>> model = TAN().fit([[1, 0], [0, 1], [1, 0]], ["ham", "spam", "ham"])
    >>> model.predict([[0, 1]]).tolist()
    ['spam']
    """

    root_: int

    def __init__(
        self,
        *,
        root: int | None = None,
        alpha: float = 1.0,
        k: int | None = 500,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        prior_alpha: float = 0.0,
    ) -> None:
        super().__init__(
            alpha=alpha,
            k=k,
            fit_prior=fit_prior,
            class_prior=class_prior,
            prior_alpha=prior_alpha,
        )
        self.root = root

    def _required_feature(self) -> int | None:
        return self.root

    def _find_parents(self) -> Ints:
        if not len(self.selected_features_):
            self.root_ = -1
            return np.empty(0, np.int64)
        root = self._leading_position()
        weights = conditional_mutual_information(self.class_count_, self.joint_count_)
        self.root_ = int(self.selected_features_[root])
        return maximum_spanning_tree(weights, root)

    def _check_parameters(self, n_features: int) -> None:
        if self.root is not None:
            check_column("root", self.root, n_features)
        super()._check_parameters(n_features)


def maximum_spanning_tree(weights: Floats, root: int) -> Ints:
    """Return the maximum spanning tree, by Prim's algorithm in O(n²).

    Parameters
    ----------
    weights : ndarray of shape (n_nodes, n_nodes)
        Symmetric.
    root : int
        The node from which the tree grows.

    Returns
    -------
    ndarray of shape (n_nodes,)
        The parent of each node, -1 for the root; ties go to the first edge.
    """
    parents = np.full(len(weights), root)
    parents[root] = -1
    # The heaviest edge from each node outside to the tree; -∞ for the nodes inside.
    heaviest = weights[root].copy()
    heaviest[root] = -np.inf
    is_outside = np.arange(len(weights)) != root
    for _ in range(len(weights) - 1):
        node = int(heaviest.argmax())
        is_outside[node], heaviest[node] = False, -np.inf
        is_heavier = is_outside & (weights[node] > heaviest)
        parents[is_heavier] = node
        heaviest[is_heavier] = weights[node, is_heavier]
    return parents
