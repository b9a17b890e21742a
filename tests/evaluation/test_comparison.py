from __future__ import annotations

import numpy as np
import pytest

from spamnb.evaluation.bootstrap import bootstrap
from spamnb.evaluation.comparison import COMPARED, compare
from spamnb.evaluation.ranking import measure
from tests.evaluation.mails import random_scores, scores_of

BAD, GOOD = random_scores(80, 60, 1.0), random_scores(80, 60, 4.0)


def comparisons(one, other, n_resamples=200):
    values = measure(one), measure(other)
    resampled = tuple(bootstrap([[one], [other]], n_resamples))
    return (
        compare("other", values, resampled).differences,
        compare("one", values[::-1], resampled[::-1]).differences,
    )


def test_a_clear_difference_is_named():
    forth, back = comparisons(GOOD, BAD)
    assert list(forth) == list(COMPARED)
    assert {item.verdict for item in forth.values()} == {"better"}
    assert {item.verdict for item in back.values()} == {"worse"}


@pytest.mark.parametrize("seed", range(5))
def test_the_difference_turns_over_with_the_filters(seed):
    forth, back = comparisons(
        random_scores(30, 20, seed=seed), random_scores(30, 20, seed=seed + 9)
    )
    opposite = {"better": "worse", "worse": "better"}
    for name, item in forth.items():
        turned = back[name]
        assert item.value == -turned.value
        assert item.interval == pytest.approx((-turned.interval.high, -turned.interval.low))
        assert item.verdict == opposite.get(turned.verdict, turned.verdict)


def test_a_filter_is_no_better_than_itself():
    for item in comparisons(BAD, BAD)[0].values():
        assert (item.value, *item.interval) == (0, 0, 0)
        assert item.verdict == "no difference shown"


def test_a_difference_of_one_mail_shows_nothing():
    mails = [("ham", -3.0)] * 50 + [("spam", 3.0)] * 50
    one = scores_of(mails)
    other = scores_of([*mails[:-1], ("spam", -1.0)])
    lam = comparisons(other, one)[0]["lam"]
    assert lam.value > 0
    assert lam.verdict == "no difference shown"


def test_pairs_are_surer_than_two_intervals():
    rng = np.random.default_rng(0)
    mails = list(zip(BAD.labels.tolist(), BAD.log_odds.tolist(), strict=True))
    nudge = {"ham": -0.1, "spam": 0.1}
    nudged = [(label, odds + rng.normal(nudge[label], 0.1)) for label, odds in mails]
    resampled = bootstrap([[scores_of(nudged)], [scores_of(mails)]], 300)
    apart = np.hypot(resampled[0].one_minus_roca.std(), resampled[1].one_minus_roca.std())
    paired = (resampled[0].one_minus_roca - resampled[1].one_minus_roca).std()
    assert paired < apart / 5
    assert comparisons(scores_of(nudged), scores_of(mails))[0]["one_minus_roca"].verdict == "better"
