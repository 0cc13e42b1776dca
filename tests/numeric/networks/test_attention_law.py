"""The law of attention outputs by draws of their variances, against exact laws and balls."""

import math

import mpmath
import numpy as np
import pytest
from scipy import special, stats
from trying import each

from numeric.mixture_estimates import CovarianceMixture, VarianceMixture, mean_estimate
from numeric.networks.attention import (
    AttentionLaw,
    AttentionLayer,
    TwoTokenLaw,
    limit_gram,
    sample_inputs,
    two_token_characteristic,
    two_token_density,
    two_token_distance,
    two_token_divergence,
    two_token_kurtosis,
    two_token_moment,
    two_token_tail,
)
from numeric.statistics import ErrorBudget, two_sample_test

LEVEL = 1e-9  # false-alarm probability of each comparison
SKEW = [[2.0, 0.25], [0.25, 0.5]]


def rng(seed=0):
    return np.random.default_rng(seed)


def agrees(estimate, expected, level=LEVEL, bias=0.0):
    """Whether estimates are within the quantile of their standard errors of what is expected."""
    values = np.atleast_1d(estimate.value)
    quantile = stats.norm.isf(ErrorBudget(level, values.size).level / 2)
    room = quantile * np.atleast_1d(estimate.error) + bias
    return bool(np.all(np.abs(values - expected) <= room))


@each("heads, token", (1, 0), (3, 1))
def test_two_tokens_against_balls(heads, token):
    scales = {"score_scales": [1.0, 2.0, 0.5][:heads], "value_scales": [1.0, 0.5, 1.5][:heads]}
    law = AttentionLaw(SKEW, AttentionLayer(heads, math.inf, **scales))
    exact = (SKEW, heads, scales["score_scales"], scales["value_scales"], token)
    draws, points = law.draws(rng(heads), 20_000, token), np.array([0.0, 0.5, 2.0])
    for ours, theirs in (
        (draws.density, two_token_density),
        (draws.tail, two_token_tail),
        (draws.characteristic, two_token_characteristic),
    ):
        assert agrees(ours(points), [theirs(y, *exact) for y in points])
        assert not agrees(ours(points), [1.02 * theirs(y, *exact) for y in points])
    for order in (2, 4, 6):
        assert agrees(draws.moment(order), two_token_moment(order, *exact))
    assert agrees(draws.variance(), two_token_moment(2, *exact))
    assert agrees(draws.kurtosis(), two_token_kurtosis(*exact))
    assert agrees(draws.divergence(), two_token_divergence(*exact), bias=1e-5)
    assert agrees(draws.distance(), two_token_distance(*exact), bias=1e-4)
    assert draws.distance().value <= draws.distance_bound().value
    assert law.certified(token) == TwoTokenLaw(*exact)


@each("rows", 3, math.inf)
def test_outputs_and_their_law(rows):
    """Draws of outputs, of one token and of all, against what draws of variances say."""
    gram = np.array([[1.0, 0.5, 0.0], [0.5, 2.0, -0.5], [0.0, -0.5, 1.0]])
    law = AttentionLaw(gram, AttentionLayer(2, rows, [1.0, 2.0]))
    outputs, joint = law.sample(rng(1), 20_000), law.joint_draws(rng(2), 20_000)
    assert law.scores(rng(1), 4).shape == (4, 2, law.tokens, law.tokens)
    for token in range(3):
        draws = law.draws(rng(3 + token), 20_000, token)
        fresh = rng(9).standard_normal(20_000) * np.sqrt(draws.variances)
        assert two_sample_test(outputs[:, token], fresh).p_value > LEVEL
        marginal = joint.marginal(token).tail([1.0])
        assert agrees(marginal, draws.tail([1.0]).value, bias=6 * float(draws.tail([1.0]).error[0]))
    for u in ([1.0, 0.0, 0.5], [0.5, -1.0, 0.5]):
        cosines = mean_estimate(np.cos(outputs @ u))
        found = joint.characteristic([u])
        assert agrees(found, cosines.value, bias=6 * float(cosines.error))
    products = mean_estimate(outputs[:, 0] * outputs[:, 1])
    assert agrees(products, joint.covariance().value[0, 1], bias=6 * joint.covariance().error[0, 1])


def test_student_and_laplace():
    """An inverse chi-square variance gives Student's law, an exponential one that of Laplace."""
    size, points = 100_000, np.array([0.0, 0.7, 3.0])
    student = VarianceMixture(9 / rng(1).chisquare(9, size))
    assert agrees(student.density(points), stats.t(9).pdf(points))
    assert agrees(student.tail(points), 2 * stats.t(9).sf(points))
    laplace = VarianceMixture(rng(2).exponential(2.0, size))
    assert agrees(laplace.tail(points), np.exp(-points))
    assert agrees(laplace.characteristic(points), 1 / (1 + points**2))
    assert agrees(laplace.moment(4), 24.0)
    assert agrees(laplace.moment(1), 1.0)
    assert agrees(laplace.kurtosis(), 3.0)
    entropy = 1 + math.log(2)
    assert agrees(laplace.divergence(), math.log(4 * math.pi * math.e) / 2 - entropy, bias=1e-3)
    at = np.linspace(0, 6, 401)
    largest = np.max(np.abs(1 - np.exp(-at * math.sqrt(2)) / 2 - special.ndtr(at)))
    assert agrees(laplace.distance(), largest)


def test_standard_errors():
    """Over 400 laws drawn anew, the deviations are one standard error, to a fifth."""
    asked = {
        "kurtosis": (lambda law: law.kurtosis(), 3 / 4),
        "tail": (lambda law: law.tail([1.0]), None),
        "divergence": (lambda law: law.divergence(), None),
    }
    laws = [VarianceMixture(one) for one in rng(5).chisquare(8, (400, 2000)) / 8]
    for name, (ask, exact) in asked.items():
        found = [ask(law) for law in (laws if name != "divergence" else laws[:60])]
        values = np.array([float(np.squeeze(one.value)) for one in found])
        errors = np.array([float(np.squeeze(one.error)) for one in found])
        room = 0.2 if name != "divergence" else 0.4
        assert values.std() == pytest.approx(errors.mean(), rel=room), name
        if exact is not None:
            assert values.mean() == pytest.approx(exact, abs=0.05)


def test_variances_that_vanish():
    law = VarianceMixture([0.0, 2.0])
    assert law.tail([0.0, 1.0]).value == pytest.approx([1.0, special.erfc(0.5) / 2])
    assert law.distance().value == pytest.approx(0.25)  # P(Z <= 0) = 3/4
    with pytest.raises(ValueError, match="variances must be positive"):
        law.density([0.0])
    for wrong in ([1.0], [0.0, 0.0], [[1.0, 2.0]], [1.0, -1.0]):
        with pytest.raises(ValueError, match="variances must"):
            VarianceMixture(wrong)


def test_joint_densities():
    covariance = np.array([[2.0, 0.5], [0.5, 1.0]])
    law = CovarianceMixture(np.stack([covariance, 4 * covariance]))
    points = np.array([[0.0, 0.0], [1.0, -2.0]])
    both = [stats.multivariate_normal(cov=c * covariance).pdf(points) for c in (1, 4)]
    np.testing.assert_allclose(law.density(points).value, np.mean(both, axis=0), rtol=1e-12)
    np.testing.assert_allclose(law.covariance().value, 2.5 * covariance)
    with pytest.raises(ValueError, match="covariances must be regular"):
        CovarianceMixture(np.ones((2, 2, 2))).density(points)
    with pytest.raises(ValueError, match="points must have shape"):
        law.density([[0.0, 0.0, 0.0]])


def test_gram_matrices_of_the_experiments():
    """Means over Gaussian inputs, the formula of Appendix B.1, and the limit of drawn inputs."""
    level = 1.5
    phi, tail = stats.norm.pdf(level), stats.norm.sf(level)
    square = 2 * level**2 * tail - 2 * level * phi + 1 - 2 * tail
    clipped = limit_gram("clip", 3, bound=level)
    np.testing.assert_allclose(clipped, square * np.eye(3), rtol=1e-14)
    relu = limit_gram("relu", 3, digits=30)
    with mpmath.workdps(30):
        assert abs(relu[0, 1] * 2 * mpmath.pi - 1) < 1e-28
        assert relu[2, 2] == mpmath.mpf(1) / 2
    for name, parameters, psi in (
        ("clip", {"bound": level}, lambda x: np.clip(x, -level, level)),
        ("relu", {}, lambda x: np.maximum(x, 0.0)),
        ("sin", {"frequency": 1, "phase": 1}, lambda x: np.sin(x + 1)),
    ):
        x = sample_inputs(psi, 4096, 2, rng(1), 40)
        for i in (0, 1):
            products = mean_estimate(np.mean(x[:, 0] * x[:, i], axis=-1))
            assert agrees(products, limit_gram(name, 2, **parameters)[0, i], bias=1e-3), name


def test_what_is_refused():
    layer = AttentionLayer(1, math.inf)
    for gram in ([[1.0, 2.0], [2.0, 1.0]], np.ones((2, 2, 2)), [[1.0, 0.0]]):
        with pytest.raises(ValueError, match="gram must"):
            AttentionLaw(gram, layer)
    law = AttentionLaw(np.eye(2), layer)
    with pytest.raises(ValueError, match="size must"):
        law.draws(rng(), 1)
    with pytest.raises(ValueError, match="token must"):
        law.draws(rng(), 2, 2)
    for law in (AttentionLaw(np.eye(3), layer), AttentionLaw(np.eye(2), AttentionLayer(1, 4))):
        with pytest.raises(ValueError, match="gram must have two rows"):
            law.certified()
    with pytest.raises(TypeError, match="attention must"):
        AttentionLaw(np.eye(2), 3)
