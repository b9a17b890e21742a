"""One-dependence estimators: besides the class, each feature has at most one parent."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spamnb.bayes.checks import stored_whole
from spamnb.bayes.joint_counts import JointCountNB, presence_log_prob
from spamnb.bayes.logarithms import smoothing_log_density
from spamnb.bayes.mutual_information import conditional_mutual_information, mutual_information
from spamnb.bayes.settings import Settings
from spamnb.errors import ParameterError
from spamnb.features.matrix import CountMatrix, Floats, Ints

if TYPE_CHECKING:
    from typing_extensions import Self


class TreeNB(JointCountNB):
    """The base of the models P(c) Π_j P(x_j | c, x_parent(j)).

    Attributes
    ----------
    parents_ : ndarray of shape (k,)
        For each chosen feature the column of its parent, -1 for none.
    feature_log_prob_ : ndarray of shape (n_classes, 2, k)
        log P(x_j present | c, parent = v) for class c, value v and feature j; without a parent
        the same for either value.
    absent_log_prob_ : ndarray of shape (n_classes, 2, k)
        log P(x_j absent | c, parent = v).
    """

    parents_: Ints
    feature_log_prob_: Floats
    absent_log_prob_: Floats

    @property
    def edge_weights_(self) -> Floats:
        """For each chosen feature I(x_j; x_parent(j) | class), in nats; 0 without a parent."""
        weights = conditional_mutual_information(self.class_count_, self.joint_count_)
        return weights[np.arange(len(weights)), self._position_of_parent_]

    @abstractmethod
    def _find_parents(self) -> Ints:
        """Return the parents among the chosen features: positions from 0, -1 for none."""

    def _leading_position(self) -> int:
        """Return the position of the required feature, or else of the most informative one."""
        required = self._required_feature()
        if required is None:
            return int(mutual_information(self.class_count_, self._feature_count).argmax())
        return int(np.searchsorted(self.selected_features_, required))

    def _update_parameters(self) -> None:
        parents = self._find_parents()
        has_parent = parents >= 0
        # A feature without a parent is its own here, which leaves the tables no worse to read.
        self._position_of_parent_ = np.where(has_parent, parents, np.arange(len(parents)))
        self.parents_ = np.where(has_parent, self.selected_features_[self._position_of_parent_], -1)
        present, total = self._feature_count, self.class_count_[:, np.newaxis]
        both = self.joint_count_[:, np.arange(len(parents)), self._position_of_parent_]
        of_parent = present[:, self._position_of_parent_]
        children = np.stack([present - both, both], axis=1)
        totals = np.stack([total - of_parent, of_parent], axis=1)
        self.feature_log_prob_, self.absent_log_prob_ = presence_log_prob(
            np.where(has_parent, np.maximum(children, 0.0), present[:, np.newaxis]),
            np.where(has_parent, totals, total[:, np.newaxis]),
            self.alpha,
        )

    def _joint_log_likelihood(self, X: CountMatrix) -> Floats:
        joint = np.tile(self.class_log_prior_, (X.shape[0], 1))
        columns = np.arange(len(self.selected_features_))
        for rows, block in X.take_columns(self.selected_features_).dense_blocks():
            present = block.astype(np.int64)
            # Which of the four: child and parent, each absent or present.
            case = 2 * present + present[:, self._position_of_parent_]
            for c in range(len(self.classes_)):
                table = np.concatenate([self.absent_log_prob_[c], self.feature_log_prob_[c]])
                joint[rows, c] += table[case, columns].sum(axis=1)
        return joint

    def _features_log_density(self) -> float:
        both = np.stack([self.feature_log_prob_, self.absent_log_prob_])
        # Without a parent there is one table, which stands there twice.
        return smoothing_log_density(both, np.where(self.parents_ < 0, 0.5, 1.0) * self.alpha)

    def _sample_features(self, index: Ints, rng: np.random.Generator) -> CountMatrix:
        present = np.zeros((len(index), len(self.selected_features_)), np.bool_)
        for j in _parents_first(self._position_of_parent_):
            value = present[:, self._position_of_parent_[j]].astype(np.int64)
            prob = np.exp(self.feature_log_prob_[index, value, j])
            present[:, j] = rng.random(len(index)) < prob
        return self._to_input_columns(present)


class ODE(TreeNB):
    """The one-dependence estimator with arbitrary parents: given, or found by KDB.

    KDB with k = 1 (Sahami, Learning limited dependence Bayesian classifiers, KDD 1996) orders
    the features by their information about the class (`mutual_information`).  The parent of each
    is the preceding feature with the most information about it given the class
    (`conditional_mutual_information`), ties going to the first; only the first feature has none.

    Parameters
    ----------
    parents : array-like of shape (n_features,), optional
        For each feature the column of its parent, or -1; without cycles.  A feature whose parent
        is not among the chosen ones has none.  None for the parents of KDB.
    alpha, k, fit_prior, class_prior, prior_alpha
        As in `JointCountNB`.

    Examples
    --------
    >>> from spamnb.bayes import ODE
    >>> model = ODE(parents=[-1, 0]).fit([[1, 0], [0, 1], [1, 0]], ["ham", "spam", "ham"])
    >>> model.predict([[0, 1]]).tolist()
    ['spam']
    """

    options = JointCountNB.options | {"parents"}

    # The parents of KDB for the counts as they are; None before they are asked for.
    _kdb_parents_: Ints | None

    def __init__(
        self,
        *,
        parents: ArrayLike | None = None,
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
        self.parents = parents

    @classmethod
    def parameters_for(cls, settings: Settings) -> dict[str, Any]:
        """Return the parameters that the training options ask for."""
        parameters = super().parameters_for(settings)
        if settings.parents is not None:
            parameters["parents"] = parent_columns(settings.parents, settings.vocabulary)
        return parameters

    def take_columns(self, columns: NDArray[Any]) -> Self:
        """Keep some of the features; a feature that loses its given parent has none."""
        if self.parents is not None:
            kept = np.arange(self.n_features_in_)[columns]
            self.parents = self._positions_of_parents(kept)
        self._kdb_parents_ = None
        return super().take_columns(columns)

    def _find_parents(self) -> Ints:
        if self.parents is not None:
            return self._positions_of_parents(self.selected_features_)
        if self._kdb_parents_ is None:
            self._kdb_parents_ = kdb_parents(
                mutual_information(self.class_count_, self._feature_count),
                conditional_mutual_information(self.class_count_, self.joint_count_),
            )
        return self._kdb_parents_

    def _positions_of_parents(self, columns: Ints) -> Ints:
        """Return where among some columns the given parent of each stands, -1 for nowhere."""
        # The last place is that of -1, no parent.
        position = np.full(self.n_features_in_ + 1, -1)
        position[columns] = np.arange(len(columns))
        return np.asarray(position[np.asarray(self.parents)[columns]])

    def _count(self, X: CountMatrix, Y: Floats) -> None:
        super()._count(X, Y)
        self._kdb_parents_ = None

    def _counts(self) -> dict[str, NDArray[Any]]:
        # The counts give the parents of KDB, but where two are all but equal another machine's
        # logarithm may prefer the other one.  Given parents are a parameter and not learned.
        found = {"parents": self._position_of_parent_} if self.parents is None else {}
        return {**super()._counts(), **found}

    def _set_counts(self, state: Mapping[str, NDArray[Any]]) -> None:
        super()._set_counts(state)
        self._kdb_parents_ = None
        if self.parents is None:
            k = len(self.selected_features_)
            parents = stored_whole(state, "parents", (k,), k)
            parents = np.where(parents == np.arange(k), -1, parents)
            if _has_cycle(parents):
                raise ParameterError("stored parents", "without a cycle", "others")
            self._kdb_parents_ = parents

    def _check_parameters(self, n_features: int) -> None:
        if self.parents is not None and n_features:
            parents = np.asarray(self.parents)
            is_right = (
                parents.shape == (n_features,)
                and parents.dtype.kind in "iu"
                and np.all((parents >= -1) & (parents < n_features))
                and not _has_cycle(parents)
            )
            if not is_right:
                expected = f"{n_features} columns from -1 to {n_features - 1} without a cycle"
                raise ParameterError("parents", expected, self.parents)
        super()._check_parameters(n_features)


class SPODE(TreeNB):
    """The super-parent one-dependence estimator: one feature is the parent of all the others.

    See Keogh and Pazzani, Learning augmented Bayesian classifiers (1999), and Zhou Zhihua,
    Machine Learning, section 7.4.

    Parameters
    ----------
    parent : int, optional
        The column of the parent, which is always among the chosen features; None for the one that
        has the most information about the class (`mutual_information`).
    alpha, k, fit_prior, class_prior, prior_alpha
        As in `JointCountNB`.

    Examples
    --------
    >>> from spamnb.bayes import SPODE
    >>> model = SPODE(parent=1).fit([[1, 0], [0, 1], [1, 0]], ["ham", "spam", "ham"])
    >>> model.predict([[0, 1]]).tolist()
    ['spam']
    """

    def __init__(
        self,
        *,
        parent: int | None = None,
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
        self.parent = parent

    def _required_feature(self) -> int | None:
        return self.parent

    def _find_parents(self) -> Ints:
        if not len(self.selected_features_):
            return np.empty(0, dtype=np.int64)
        at = self._leading_position()
        return np.where(np.arange(len(self.selected_features_)) == at, -1, at)

    def _check_parameters(self, n_features: int) -> None:
        if self.parent is not None:
            check_column("parent", self.parent, n_features)
        super()._check_parameters(n_features)


def parent_columns(parents: Mapping[str, str], vocabulary: Iterable[str]) -> Ints:
    """Return the column of each word's parent, -1 where it has none or one that is unknown."""
    column = {word: j for j, word in enumerate(vocabulary)}
    columns = np.full(len(column), -1)
    for word, parent in parents.items():
        if word in column:
            columns[column[word]] = column.get(parent, -1)
    return columns


def check_column(name: str, column: int, n_features: int) -> None:
    """Raise a `ParameterError` unless a parameter is the number of a column."""
    if not isinstance(column, (int, np.integer)) or not 0 <= column < n_features:
        raise ParameterError(name, f"a column from 0 to {n_features - 1}", column)


def kdb_parents(information: Floats, dependence: Floats) -> Ints:
    """Return the parents that KDB with k = 1 finds (Sahami, KDD 1996, section 3).

    Parameters
    ----------
    information : ndarray of shape (n_features,)
        The mutual information of each feature and the class.
    dependence : ndarray of shape (n_features, n_features)
        The conditional mutual information of two features given the class.

    Returns
    -------
    ndarray of shape (n_features,)
        The parent of each feature, -1 for the one of the most information.  Ties go to the
        feature of more information, then to the first.
    """
    n = len(information)
    parents = np.full(n, -1)
    order = np.argsort(-information, kind="stable")
    for rank in range(1, n):
        earlier = order[:rank]
        parents[order[rank]] = earlier[dependence[order[rank], earlier].argmax()]
    return parents


def _parents_first(parents: Ints) -> list[int]:
    """Return the features in an order in which parents, or themselves for none, come first."""
    depth = np.zeros(len(parents), np.int64)
    ancestor = parents
    while np.any(ancestor != parents[ancestor]):
        depth += ancestor != parents[ancestor]
        ancestor = parents[ancestor]
    is_root = parents == np.arange(len(parents))
    order = np.lexsort((depth, ~is_root))
    return [int(j) for j in order]


def _has_cycle(parents: Ints) -> bool:
    """Return whether the parents (-1 for none) form a cycle."""
    ancestor = np.append(parents, -1)
    # Each round doubles the step, so that after this many every chain has ended.
    for _ in range(len(parents).bit_length()):
        ancestor = ancestor[ancestor]
    return bool(np.any(ancestor >= 0))
