"""Mirrored pairs of random numbers: their laws, and that errors of first order cancel."""

import numpy as np
import pytest
from scipy.stats import chi2, gamma, kstest

from numeric.mirrored import MirroredGenerator, RepeatedGenerator

CHI_SQUARES = np.array([3.0, 40.0])


def _generator(kind: type = MirroredGenerator, seed: int = 0) -> np.random.Generator:
    return kind(np.random.PCG64(seed))


def test_either_of_a_pair_has_its_law():
    rng = _generator()
    normals = rng.standard_normal((20_000, 2))
    chi = rng.chisquare(CHI_SQUARES, (20_000, 2))
    gammas = rng.standard_gamma(7.5, (20_000,))
    for start in (0, 1):
        assert kstest(normals[start::2, 1], "norm").pvalue > 1e-4
        assert kstest(gammas[start::2], gamma(7.5).cdf).pvalue > 1e-4
        for place, degrees in enumerate(CHI_SQUARES):
            assert kstest(chi[start::2, place], chi2(degrees).cdf).pvalue > 1e-4


def test_pairs_are_mirrored():
    rng = _generator()
    normals, chi = rng.standard_normal((10, 3)), rng.chisquare(1000, (10, 3))
    assert np.array_equal(normals[::2], -normals[1::2])
    assert np.allclose(chi2(1000).cdf(chi[::2]) + chi2(1000).cdf(chi[1::2]), 1)
    assert np.corrcoef(chi[::2].ravel(), chi[1::2].ravel())[0, 1] < -0.99


def test_repeated_pairs_are_equal_and_shared_between_generators():
    one, other = (_generator(RepeatedGenerator).standard_normal((6, 2)) for _ in range(2))
    assert np.array_equal(one[::2], one[1::2])
    assert np.array_equal(one, other)


@pytest.mark.parametrize("size", [None, 3, (5, 2), ()])
def test_sizes_begin_with_an_even_number(size):
    with pytest.raises(ValueError, match="even"):
        _generator().standard_normal(size)
