"""Made-up mails with words, numbers and facts in which the label shows."""

from __future__ import annotations

import numpy as np

from spamnb.training import LabeledTokens


def made_up(n: int, seed: int = 0) -> list[LabeledTokens]:
    rng = np.random.default_rng(seed)
    mails = []
    for i in range(n):
        is_spam = i % 2
        words = [f"w{j}" for j in rng.integers(0, 30, size=8) + 8 * is_spam]
        tokens = [
            *words,
            f"stat:length={rng.gamma(2.0, 50.0 + 60 * is_spam):.6g}",
            f"stat:links={rng.poisson(1 + 2 * is_spam)}",
            f"fact:weekday={rng.choice(['mon', 'tue', 'sun'])}",
        ]
        if rng.random() < 0.7:
            tokens.append(f"fact:mailer={'bulk' if rng.random() < 0.2 + 0.5 * is_spam else 'pine'}")
        mails.append(LabeledTokens(("ham", "spam")[is_spam], tokens))
    return mails
