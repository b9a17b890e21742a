"""What of scikit-learn's own suites is not run, and where our words are other ones."""

from __future__ import annotations

SKIPPED = {
    "test_check_alpha": "plumbing: the private _check_alpha; alpha = 0 is computed exactly here, "
    "so there is no force_alpha (values: test_alpha, test_alpha_vector)",
    "test_gnb_array_api_compliance": "plumbing: the array API; this package is for numpy",
    "test_gnb_check_update_with_no_data": "plumbing: the private _update_mean_variance (values: "
    "test_gaussian.test_learning_in_any_parts_equals_learning_at_once, with empty parts)",
    "test_routing_passed_metadata_not_supported": "plumbing: metadata routing",
    "test_self_training_estimator_attribute_error": "plumbing: the wording of AttributeErrors of "
    "estimators without predict_proba, and decision_function, which naive Bayes has no use for",
}
"""Name of the test, or of one of its parameters as in "test[parameter]": reason."""

IMPORTS = (
    ("from sklearn.naive_bayes import", "from spamnb.bayes import"),
    ("from sklearn.semi_supervised import", "from spamnb.bayes import"),
    ("from sklearn.exceptions import NotFittedError", "from spamnb.errors import NotFittedError"),
    # Only for the tests of metadata routing.
    ("from sklearn.tests.test_pipeline import SimpleEstimator", ""),
)

# The same errors and warnings, of the same class: by their words and ours.
WORDING = (
    (
        '"The target label.* in y do not exist in the initial classes"',
        '"y must be labels among .0, 1., got 2"',
    ),
    ('"Priors must be non-negative"', '"priors must be 2 numbers ≥ 0"'),
    (
        '"Number of priors must match number of classes"',
        '"prior(s|) must be [23] numbers ≥ 0 with the sum 1"',
    ),
    ('"The sum of the priors should be 1"', '"priors must be 2 numbers ≥ 0 with the sum 1"'),
    (
        '"classes must be passed on the first call to partial_fit."',
        '"classes must be given in the first call of partial_fit"',
    ),
    (
        '"is not the same as on last call to partial_fit"',
        '"classes must be the same as before"',
    ),
    (
        "\"'min_categories' should have shape\"",
        '"min_categories must be one whole number ≥ 0 or 2 of them"',
    ),
    ('"All values in alpha must be greater than 0."', '"alpha must be a finite number ≥ 0"'),
    (
        '"When alpha is an array, it should contains `n_features`"',
        '"alpha must be one number or 2 of them"',
    ),
    (
        '"This SelfTrainingClassifier instance is not fitted yet"',
        '"this SelfTrainingClassifier has not been trained yet"',
    ),
    ('"y contains no unlabeled samples"', '"y contains no unlabeled samples"'),
)

# With force_alpha=False scikit-learn warns of alpha = 0 and computes with 1e-10; here 0 is 0, and
# the values that the tests expect are the same.
FORCE_ALPHA = (
    (", force_alpha=False", ""),
    ("with pytest.warns(UserWarning, match=msg):", "if msg:"),
    ("assert_array_almost_equal(m_nb._check_alpha(), [ALPHA_MIN, 0.5], decimal=12)", ""),
)

# Ours tells of its rounds whoever wants to know.
TELL = 'progress=lambda n, new: print(f"End of iteration {n}, added {new} new labels.")'
VERBOSE = (
    ("verbose=True", TELL),
    ("verbose=verbose", f"**({{}} if not verbose else dict({TELL}))"),
)

PYTEST = (
    # pytest 9 warns of generators.
    (
        "    yield_namespace_device_dtype_combinations(),",
        "    list(yield_namespace_device_dtype_combinations()),",
    ),
)

REPLACED = IMPORTS + WORDING + FORCE_ALPHA + VERBOSE + PYTEST
"""Pairs of scikit-learn's source text and ours."""
