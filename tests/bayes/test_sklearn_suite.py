"""scikit-learn's own tests of naive Bayes and self-training, run against our estimators.

They come from the installed wheel; the import of the estimators leads to `spamnb.bayes`.
What is left out or worded otherwise is listed in `sklearn_skipped`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sklearn
from threadpoolctl import threadpool_limits

from tests.bayes.sklearn_skipped import REPLACED, SKIPPED

# The list of what is skipped and replaced fits the tests of these versions; older ones, which
# Python 3.10 gets, have other tests.
if tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 8):
    pytest.skip(f"the suite of scikit-learn {sklearn.__version__}", allow_module_level=True)

SUITES = ("tests/test_naive_bayes.py", "semi_supervised/tests/test_self_training.py")


def load(suite):
    """Return the tests of a file of scikit-learn, by name."""
    path = Path(sklearn.__path__[0], suite)
    source = path.read_text("utf-8")
    for theirs, ours in REPLACED:
        source = source.replace(theirs, ours)
    namespace = {"__name__": f"sklearn_suite.{path.stem}"}
    exec(compile(source, path, "exec"), namespace)
    return {name: test for name, test in namespace.items() if name.startswith("test_")}


for suite in SUITES:
    globals().update(load(suite))


@pytest.fixture
def global_random_seed():
    return 42


@pytest.fixture
def global_dtype():
    return np.float64


@pytest.fixture(autouse=True)
def _one_thread():
    # scikit-learn's own estimators, on small data: threads would only wait for one another.
    with threadpool_limits(1):
        yield


@pytest.fixture(autouse=True)
def _skip_what_is_listed(request):
    node = request.node
    reason = SKIPPED.get(node.name) or SKIPPED.get(node.originalname)
    if reason:
        pytest.skip(reason)


def test_every_skipped_test_is_there():
    assert {name.partition("[")[0] for name in SKIPPED} <= set(globals())
