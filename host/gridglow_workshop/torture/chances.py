"""How likely mere chance is to be as uneven as some counts: Pearson's test, for the trials `dice` and `page`."""

from __future__ import annotations

import math


def chi_square_chance(counts: list[int], expected: list[float], freedom: int | None = None) -> float:
    """The chance that fair draws differ from the expectation at least as much as these counts; by default there is one
    degree of freedom fewer than there are counts."""
    statistic = sum((count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True))
    return upper_gamma((len(counts) - 1 if freedom is None else freedom) / 2, statistic / 2)


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x), by its series or its continued fraction."""
    if x <= 0:
        return 1.0
    scale = math.exp(-x + a * math.log(x) - math.lgamma(a))
    if x < a + 1:
        total = term = 1 / a
        n = a
        while abs(term) > abs(total) * 1e-16:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - total * scale)
    b = x + 1 - a
    c = 1e300
    d = 1 / b
    found = d
    for i in range(1, 100_000):
        an = -i * (i - a)
        b += 2
        d = an * d + b
        d = 1 / (d if abs(d) > 1e-300 else 1e-300)
        c = b + an / c
        c = c if abs(c) > 1e-300 else 1e-300
        step = d * c
        found *= step
        if abs(step - 1) < 1e-15:
            break
    return found * scale
