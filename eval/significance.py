"""Whether a difference between two ways of searching is more than chance."""

from collections.abc import Sequence

from youju.errors import SettingsError

_AT_A_TIME = 500


def randomisation_test(one: Sequence[float], other: Sequence[float], *, rounds: int = 10_000, seed: int = 0) -> float:
    """How often a difference of two means at least as large comes by chance (p, two-sided).

    The paired randomisation test: if the two ways were alike, the two values of a question could as well be exchanged.
    That is done at random, question by question, `rounds` times, and p is the share of the rounds whose difference is
    at least as large as the real one, which counts as one round itself. The test assumes nothing of how the values are
    distributed (Smucker, Allan and Carterette, "A Comparison of Statistical Significance Tests for Information
    Retrieval Evaluation", CIKM 2007; for counting the real one: Phipson and Smyth, 2010).

    Args:
        one: The values of one way, one a question.
        other: The values of the other way, of the same questions in the same order.
        rounds: How many exchanges are tried; p cannot be smaller than 1 / (rounds + 1).
        seed: Where the random numbers begin: the same values always give the same p.

    Raises:
        SettingsError: The values do not belong to the same questions, or there are none.
    """
    import numpy as np  # noqa: PLC0415 - only here

    if len(one) != len(other) or not one:
        raise SettingsError(f"要比较同样的问题，至少一个：一边有 {len(one)} 个值，另一边有 {len(other)} 个")
    if rounds < 1:
        raise SettingsError(f"rounds 要大于 0，不能是 {rounds}")
    differences = np.asarray(one, dtype=float) - np.asarray(other, dtype=float)
    differences = differences[differences != 0]  # exchanging equal values changes nothing
    real = abs(differences.sum()) - 1e-9  # sums of the same numbers in another order may differ in the last digit
    drawn = np.random.default_rng(seed)
    as_large = 0
    for done in range(0, rounds, _AT_A_TIME):
        signs = drawn.choice((-1.0, 1.0), (min(_AT_A_TIME, rounds - done), len(differences)))
        as_large += int((np.abs(signs @ differences) >= real).sum())
    return (as_large + 1) / (rounds + 1)
