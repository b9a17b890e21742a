"""The two forms of a function give the same, or raise errors of the same type.

``make test`` tries a modest number of examples, ``make fuzz-twins`` thousands.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spamnb.native.twins import compiled_files, twin_of
from tests.native.cases import CASES
from tests.native.cases.case import plain
from tests.twins import marked_functions

pytestmark = pytest.mark.skipif(not compiled_files(), reason="nothing is compiled")


def name_of(function) -> str:
    return function.__name__


def assert_same(function, arguments) -> None:
    twin, case = twin_of(function), CASES[function]
    assert case.outcome(twin.compiled, arguments) == case.outcome(twin.function, arguments)


def test_there_is_a_case_for_each_function():
    assert set(marked_functions()) == set(CASES)


@pytest.mark.parametrize("function", CASES, ids=name_of)
@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_both_forms_give_the_same(function, data):
    assert_same(function, data.draw(CASES[function].arguments))


@pytest.mark.parametrize("function", [each for each in CASES if CASES[each].limits], ids=name_of)
def test_both_forms_give_the_same_at_their_limits(function):
    case, twin = CASES[function], twin_of(function)
    for arguments in case.limits:
        assert plain(case.call(twin.compiled, *arguments)) == case.outcome(twin.function, arguments)
