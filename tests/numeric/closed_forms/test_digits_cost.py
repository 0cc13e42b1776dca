"""What digits cost: one evaluation of one formula, and hardly more than that."""

import pytest
from flint import arb
from trying import each

from benchmarks.digits import CASES, row
from numeric import cosine_map_balls
from numeric.cosine_maps import limiting_ntk_profile, omega, varrho, zeta
from numeric.dual_activations import dual_activation


@pytest.fixture
def arcs(monkeypatch):
    """The numbers at which an arc sine is taken."""
    seen, original = [], cosine_map_balls._arc_and_gap

    def counted(z):
        seen.append(z)
        return original(z)

    monkeypatch.setattr(cosine_map_balls, "_arc_and_gap", counted)
    return seen


@pytest.mark.parametrize(
    ("value", "layers"),
    [
        (lambda: varrho("0.3", 1, digits=100), 1),
        (lambda: varrho("-0.3", "0.7", digits=100), 1),
        (lambda: varrho("0.999999", "0.7", digits=100), 1),
        (lambda: zeta("0.2", "0.7", digits=100), 1),
        (lambda: zeta("0.9", "0.7", digits=100), 1),
        (lambda: omega("1.7", "0.7", digits=100), 1),
        (lambda: omega("1e9", "0.7", digits=100), 1),
        (lambda: dual_activation("relu", "0.3", digits=100), 1),
        (lambda: limiting_ntk_profile("0.3", 30, "0.7", digits=100), 29),
    ],
)
def test_one_arc_sine_a_layer(arcs, value, layers):
    value()
    assert len(arcs) == layers


# Some 60 times and more when the precision was doubled and every ball evaluated at both ends.
@each("name", *CASES)
def test_a_thousand_digits_cost_about_as_much_as_the_formula(name):
    ours, rival, _ = row(name, 1000)
    assert ours < 5 * rival


def test_gaps_of_small_numbers():
    """The series where the closed form cancels, and the closed form before: 8/(3 pi) z^(3/2)."""
    for power in (0, 2, 5, 20, 40, 100, 1000, 10_000):
        z = arb((3, -power - 3))
        _, gap = cosine_map_balls._arc_and_gap(z)
        series = z.hypgeom_2f1(arb(0.5), arb(0.5), arb(2.5))
        assert gap.overlaps(8 * z * z.sqrt() * series / (3 * arb.pi()))
        assert gap.rel_accuracy_bits() > 40
