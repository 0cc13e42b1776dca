"""Certificates of inequalities: true ones proved, false ones refuted, the rest left open."""

import pickle
from fractions import Fraction

import pytest
from certify_cases import DELTA, PROVED, REFUTED, UNDECIDED, UNIT, ratio
from flint import arb, ctx
from trying import each

from numeric.certify import (
    Box,
    Certificate,
    certify_nonnegative,
    certify_positive,
    certify_positive_between,
    certify_positive_to_end,
    certify_within,
    working_precision,
)

# Each inequality with a free constant c, true for the first value and false for the second; the
# best constant (in the comment) lies between.


def sine_above_line(c):  # c < 1 / 1 (zero at 0 of order 1); at t = 1: c < sin 1 = 0.8414709...
    def f(t):
        return t.sin() - ratio(c) * t

    return certify_positive_to_end(f, "t", 0, 1, order=1)


def jordan(c):  # sin t > c (2/pi) t on (0, pi/2]: c < 1, lost at the far end
    def f(t):
        return t.sin() - ratio(c) * 2 * t / arb.pi()

    return certify_positive_to_end(f, "t", 0, "pi/2", order=1)


def arctangent_chord(c):  # (4/pi) atan x > c x on (0, 1]: c < 1
    def f(x):
        return 4 * x.atan() / arb.pi() - ratio(c) * x

    return certify_positive_to_end(f, "x", 0, 1, order=1)


def sine_minus_cosine(c):  # c sin t > t cos t on (0, pi]: c > 1, lost at 0
    def f(t):
        return ratio(c) * t.sin() - t * t.cos()

    return certify_positive_to_end(f, "t", 0, "pi", order=1)


def parabola(c):  # x (1 - x) < c on [0, 1]: c > 1/4
    return certify_positive(lambda x: ratio(c) - x * (1 - x), UNIT)


def sine_below_parabola(c):  # sin t < c (4/pi^2) t (pi - t) inside: c > 1, lost at pi/2
    def f(t):
        return ratio(c) * 4 / arb.pi() ** 2 * t * (arb.pi() - t) - t.sin() + ratio("1/1000")

    return certify_positive(f, Box(t=(0, "pi")))


def saddle(c):  # x^2 + y^2 + 1/100 > c x y on the square: c < 2.01, lost at two corners
    def f(x, y):
        return x * x + y * y + ratio("1/100") - ratio(c) * x * y

    return certify_positive(f, Box(x=(-1, 1), y=(-1, 1)))


def one_minus_cosine_map(c):  # 1 - varrho(cos t) > 0, with c on the Delta-part: c < 1
    def f(t, delta):
        return 1 - t.cos() - ratio(c) * delta * 2 / arb.pi() * (t.sin() - t * t.cos())

    return certify_positive_to_end(f, "t", 0, "pi", order=2, others=DELTA)


def with_absolute_values(c):  # |x| + |y| + x y > -c on the square: c > 0
    def f(x, y):
        return abs(x) + abs(y) + x * y + ratio(c)

    return certify_positive(f, Box(x=(-1, 1), y=(-1, 1)))


CASES = [
    (sine_above_line, "0.8414", "0.8415"),
    (jordan, "0.99", "1.01"),
    (jordan, "0.999999", "1.000001"),
    (arctangent_chord, "0.99", "1.01"),
    (sine_minus_cosine, "1.01", "0.99"),
    (sine_minus_cosine, "1.0001", "0.9999"),
    (parabola, "0.2501", "0.2499"),
    (parabola, "0.250000001", "1/4"),
    (sine_below_parabola, "1.001", "0.99"),
    (saddle, "2.0099", "2.0101"),
    (one_minus_cosine_map, "0.99", "1.01"),
    (with_absolute_values, "0.01", "-0.01"),
]


@each("inequality, true, false", *CASES)
def test_constants_are_told_from_slightly_worse_ones(inequality, true, false):
    good, bad = inequality(true), inequality(false)
    assert (good.decision, good.reason) == (PROVED, "")
    assert bad.decision is REFUTED
    assert good.witness is None
    assert (bad.margin, bad.end_margin) == (None, None)
    # The witness lies in the domain, and f is not positive there.
    for name, x in bad.witness.point.items():
        printed = bad.domain[name]
        upper = {"pi": arb.pi(), "pi/2": arb.pi() / 2, "infinity": arb("inf")}.get(printed.upper)
        upper = ratio(printed.upper) if upper is None else upper
        value = ratio(x)
        assert ratio(printed.lower) < value if printed.lower_open else x >= int(printed.lower)
        assert value <= upper
    assert arb(bad.witness.value) <= 0


# What can be neither proved nor refuted.


def test_a_zero_inside_is_left_open_or_refuted_where_it_is_exact():
    third, half = ratio("1/3"), ratio("1/2")
    at_third = certify_positive(lambda x: (x - third) ** 2, UNIT)
    assert at_third.decision is UNDECIDED
    assert at_third.reason
    at_half = certify_positive(lambda x: (x - half) ** 2, UNIT)
    assert (at_half.decision, at_half.witness.point) == (REFUTED, {"x": Fraction(1, 2)})
    assert certify_nonnegative(lambda x: (x - half) ** 2, UNIT).decision is not REFUTED


@each(
    "f",
    lambda x: (x - 2).sqrt(),
    lambda x: x * arb.nan(),
    lambda x: x + arb("inf"),
    lambda x: -x - arb("inf"),
    lambda x: 100 + (x - ratio("1/2")).log(),
    lambda x: 1 / (x - ratio("1/3")) ** 2,
)
def test_what_is_not_finite_is_neither_proved_nor_refuted(f):
    certificate = certify_positive(f, UNIT, max_boxes=500)
    assert certificate.decision is UNDECIDED
    assert "finite" in certificate.reason


def test_errors_of_domain_inside_f_leave_it_open_with_their_words():
    def demanding(x):
        raise ValueError("rho must lie in [-1, 1]")

    certificate = certify_positive(demanding, UNIT, max_boxes=5)
    assert certificate.decision is UNDECIDED


def test_a_nan_region_does_not_hide_a_counterexample():
    def f(x):
        return (x - ratio("1/3")).sqrt() - ratio("1/100")

    assert certify_positive(f, UNIT, max_boxes=200).decision is REFUTED


def test_an_exhausted_budget_is_undecided():
    def f(x, y):
        return (x - y) ** 2 + ratio("1/100000")

    box = Box(x=(0, 1), y=(0, 1))
    certificate = certify_positive(f, box, max_boxes=20)
    assert (certificate.decision, certificate.boxes) == (UNDECIDED, 20)
    assert "budget of 20 boxes" in certificate.reason
    assert certify_positive(f, box).decision is PROVED


def test_low_precision_is_undecided_and_high_precision_decides():
    def f(x):
        return x * x - x + ratio("1/4") + arb(2) ** -70

    assert certify_positive(f, UNIT, prec=32).decision is UNDECIDED
    certificate = certify_positive(f, UNIT, prec=256)
    assert (certificate.decision, certificate.precision) == (PROVED, 256)


def test_functions_of_power_series_need_fewer_boxes():
    def smooth(x):
        return x * x - 2 * x + 1 + ratio("1/10000")

    def plain(x):
        return smooth(x) + 0 * abs(x)

    box = Box(x=(0, 2))
    few, many = certify_positive(smooth, box), certify_positive(plain, box)
    assert (few.decision, many.decision) == (PROVED, PROVED)
    assert 4 * few.boxes < many.boxes
    assert (few.method, many.method) == ("balls, mean value form in x", "balls")


# Ranges and nonnegativity.


def test_ranges():
    box = Box(t=(0, "pi"))

    def sine(t):
        return t.sin()

    assert certify_within(sine, "-0.01", "1.01", box).decision is PROVED
    assert certify_within(sine, "-0.01", "0.99", box).decision is REFUTED
    assert certify_within(sine, "0.01", "1.01", box).decision is REFUTED
    assert certify_within(sine, lambda t: t - 4, lambda t: t + ratio("0.01"), box).decision is PROVED
    assert certify_within(lambda t: t, 0, "pi", Box(t=(1, 2))).decision is PROVED


def test_ranges_attained_are_weak_only():
    box = Box(x=(0, 1))
    assert certify_within(lambda x: x, 0, 1, box).decision is REFUTED
    weak = certify_within(lambda x: x, 0, 1, box, strict=False)
    assert (weak.decision, weak.relation) == (PROVED, "lower <= f <= upper")


def test_an_undecided_side_leaves_a_range_undecided():
    def square(x):
        return (x - ratio("1/3")) ** 2

    assert certify_within(square, 0, 2, UNIT).decision is UNDECIDED
    assert certify_within(square, 0, "0.1", UNIT).decision is REFUTED


def test_nonnegative_on_boxes():
    def f(x):
        return x + x * x

    assert certify_nonnegative(f, UNIT).decision is PROVED
    assert certify_positive(f, UNIT).decision is REFUTED
    assert certify_nonnegative(lambda x: f(x) - ratio("1/10000"), UNIT).decision is REFUTED


# Interfaces.


def test_certificates_have_no_truth_value():
    certificate = certify_positive(lambda x: 1 + x, UNIT)
    with pytest.raises(TypeError, match=r"\.decision"):
        bool(certificate)
    with pytest.raises(TypeError):
        assert not certificate


def test_certificates_print_and_travel():
    certificate = certify_positive(lambda x: 1 + x, UNIT)
    assert str(certificate).startswith("proved: f > 0 for x in [0, 1] (1 boxes, depth 0, 128 bits")
    assert pickle.loads(pickle.dumps(certificate)) == certificate
    refuted = certify_positive(lambda x: x, UNIT)
    assert str(refuted).endswith("; f = 0 at x = 0")
    undecided = certify_positive(lambda x: x * arb.nan(), UNIT, max_boxes=3)
    assert undecided.reason in str(undecided)


def test_precision_and_series_length_are_restored():
    before = ctx.prec, ctx.cap
    certify_positive_to_end(lambda t: t - t.sin(), "t", 0, 1, order=3, prec=200)
    with pytest.raises(ZeroDivisionError), working_precision(77, cap=3):
        raise ZeroDivisionError
    assert (ctx.prec, ctx.cap) == before


def test_a_box_without_variables_is_a_point():
    assert certify_positive(lambda: arb.pi() - 3, Box()).decision is PROVED
    assert certify_positive(lambda: 3 - arb.pi(), Box()).decision is REFUTED
    point = Box(x=(1, 1), y=(0, 1))
    assert certify_positive(lambda x, y: x - y / 2, point).decision is PROVED


@each(
    "ends, error, words",
    ((0, 0.5), TypeError, "the upper end of x must be an int"),
    ((False, 1), TypeError, "the lower end of x must be an int"),
    ((0, "one"), ValueError, "the upper end of x must be a finite rational number"),
    ((0, "1/0"), ValueError, "the upper end of x must be a finite rational number"),
    ((0, arb("inf")), ValueError, "the upper end of x must be finite"),
    ((arb.nan(), 1), ValueError, "the lower end of x must be finite"),
    ((1, 0), ValueError, r"lower end below its upper end, got \[1, 0\]"),
    (("pi", 3), ValueError, "lower end below its upper end"),
    ((0, 1, 2), TypeError, "x must be a pair"),
    (0, TypeError, "x must be a pair"),
)
def test_meaningless_intervals(ends, error, words):
    with pytest.raises(error, match=words):
        Box(x=ends)


def test_meaningless_requests():
    def f(x):
        return x

    with pytest.raises(TypeError, match="f must return an arb, got int"):
        certify_positive(lambda x: 1, UNIT)
    with pytest.raises(ValueError, match=r"zero_orders must be an integer in \[0, 1000\], got -1"):
        certify_positive_between(f, "x", (0, 1), zero_orders=(-1, 0))
    with pytest.raises(ValueError, match="others must not contain the variable x"):
        certify_positive_between(f, "x", (0, 1), zero_orders=(1, 0), others=UNIT)
    with pytest.raises(ValueError, match="x must range over more than one point"):
        certify_positive_between(f, "x", (1, 1), zero_orders=(1, 0))
    with pytest.raises(TypeError, match="f must accept an arb_series in x"):
        certify_positive_to_end(abs, "x", 0, 1, order=1)


def test_a_conjunction_adds_up_its_parts():
    certificate = certify_within(lambda x: x, -1, 2, UNIT)
    assert isinstance(certificate, Certificate)
    assert (certificate.boxes, certificate.decision) == (2, PROVED)
    assert certificate.margin is not None
    assert 0.99 < certificate.margin < 1
