from collections.abc import Iterator

import pytest
from hypothesis import settings

from spamnb.native.twins import compiled_files
from tests.twins import use

# ``pytest --hypothesis-profile fuzz``: for what has no number of examples of its own.
settings.register_profile("fuzz", max_examples=5_000, deadline=None)


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests, and the processes they start, away from the user's own cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module", params=["python", "compiled"])
def form(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run what uses it twice, with the one form of all twins and with the other."""
    if request.param == "compiled" and not compiled_files():
        pytest.skip("nothing is compiled")
    use(compiled=request.param == "compiled")
    yield request.param
    use(None)
