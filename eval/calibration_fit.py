"""Fitting a gate to questions of which it is known whether the base answers them, and saying how good it is."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from youju.chains.gate import Gate
from youju.chains.signals import Signal, Signals

Numbers = npt.NDArray[np.float64]

_RIDGE = 1.0
"""What is added to the curvature of each weight, for standardised signals: with few questions, weights stay small."""
_STEPS = 50
_ENOUGH = 1e-8


def fit_gate(signals: Sequence[Signals], answerable: Sequence[bool], names: Sequence[Signal]) -> Gate:
    """A logistic model of signals, by Newton's method with a ridge; both kinds of question count the same in sum.

    Source: T. Hastie, R. Tibshirani and J. Friedman, "The Elements of Statistical Learning", 2nd ed., section 4.4. No
    weight is negative, as no signal speaks against an answer: one that comes out so is left out, and the rest is fitted
    again.

    Args:
        signals: What is seen of each question, with a value for each of `names`.
        answerable: Whether it can be answered; some can and some cannot.
        names: The signals to use.

    Returns:
        A gate that lets everything pass: its threshold is 0.
    """
    used = list(names)
    truth = np.array(answerable, dtype=np.float64)
    while used:
        values = np.array([[getattr(one, name) for name in used] for one in signals], dtype=np.float64)
        weights, bias = _logistic_regression(values, truth)
        if weights.min() >= 0:
            return Gate(weights=dict(zip(used, weights.tolist(), strict=True)), bias=bias, threshold=0.0)
        del used[int(weights.argmin())]
    return Gate(weights={}, bias=0.0, threshold=0.0)


def held_out_scores(
    signals: Sequence[Signals], answerable: Sequence[bool], names: Sequence[Signal], *, folds: int, seed: int
) -> list[float]:
    """The score of each question by a gate that was fitted without it, and without the rest of its fold.

    Each fold has its share of both kinds of question.
    """
    fold_of = np.zeros(len(signals), dtype=int)
    order = np.random.default_rng(seed)
    for kind in (True, False):
        places = [place for place, value in enumerate(answerable) if value is kind]
        for number, place in enumerate(order.permutation(places)):
            fold_of[place] = number % folds
    scores = [0.0] * len(signals)
    for fold in range(folds):
        rest = [place for place in range(len(signals)) if fold_of[place] != fold]
        gate = fit_gate([signals[place] for place in rest], [answerable[place] for place in rest], names)
        for place in np.flatnonzero(fold_of == fold).tolist():
            scores[place] = gate.score(signals[place]) or 0.0
    return scores


def choose_threshold(kept: Sequence[float], refused: Sequence[float], keep: float) -> float:
    """The threshold that refuses most and keeps at least a share of the answerable.

    Args:
        kept: Scores of answerable questions.
        refused: Scores of the others.
        keep: The share of the answerable that must pass.

    Returns:
        A place halfway between the lowest score that has to pass and the next lower one of any question.
    """
    ascending = sorted(kept)
    lowest = ascending[math.floor((1 - keep) * len(ascending) + 1e-9)]
    lower = [score for score in (*kept, *refused) if score < lowest]
    return (lowest + max(lower)) / 2 if lower else 0.0


def auc(kept: Sequence[float] | Numbers, refused: Sequence[float] | Numbers) -> float:
    """The share of pairs, an answerable question and another, of which the answerable one has the larger score.

    Equal scores are half a pair (J. Hanley and B. McNeil, "The meaning and use of the area under a ROC curve",
    Radiology 143, 1982).
    """
    ordered = np.sort(np.array(refused, dtype=np.float64))
    below = np.searchsorted(ordered, kept, side="left") + np.searchsorted(ordered, kept, side="right")
    return float(below.mean() / (2 * len(ordered)))


def auc_interval(
    kept: Sequence[float], refused: Sequence[float], *, seed: int, draws: int = 1000
) -> tuple[float, float]:
    """A 95 % interval of `auc`, by drawing questions of each kind anew (percentile bootstrap)."""
    chance = np.random.default_rng(seed)
    ours, others = np.array(kept, dtype=np.float64), np.array(refused, dtype=np.float64)
    drawn = [
        auc(ours[chance.integers(len(ours), size=len(ours))], others[chance.integers(len(others), size=len(others))])
        for _ in range(draws)
    ]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def share_below(scores: Sequence[float], threshold: float) -> float:
    """The share of scores that do not pass."""
    return sum(score < threshold for score in scores) / len(scores)


def _logistic_regression(values: Numbers, truth: Numbers) -> tuple[Numbers, float]:
    """Weights and bias for the signals as they are; within, they are standardised."""
    mean, scale = values.mean(axis=0), values.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    table = np.column_stack([(values - mean) / scale, np.ones(len(values))])
    share = truth.mean()
    counts = np.where(truth == 1, 0.5 / share, 0.5 / (1 - share))
    ridge = np.diag([_RIDGE] * values.shape[1] + [0.0])
    found = np.zeros(table.shape[1])
    for _ in range(_STEPS):
        likely = 0.5 * (1 + np.tanh(table @ found / 2))
        slope = table.T @ (counts * (likely - truth)) + ridge @ found
        curve = (table * (counts * likely * (1 - likely))[:, None]).T @ table + ridge
        step = np.linalg.solve(curve + 1e-9 * np.eye(len(found)), slope)
        found -= step
        if np.abs(step).max() < _ENOUGH:
            break
    weights = found[:-1] / scale
    return weights, float(found[-1] - weights @ mean)
