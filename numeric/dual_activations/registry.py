"""The activations whose duals are known: names, parameters, formulas."""

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numeric.arguments import Interval, integer, shown
from numeric.dual_activations.clipping import CLIP
from numeric.dual_activations.error_functions import ERF, GELU
from numeric.dual_activations.exponentials import COS, EXP, GAUSSIAN, SIN
from numeric.dual_activations.formula import Duals
from numeric.dual_activations.piecewise import AB_RELU, ABS, LEAKY_RELU, RELU, SIGN, STEP
from numeric.dual_activations.polynomials import MOST_DEGREE, hermite, monomial, rectified_monomial


@dataclass(frozen=True)
class Activation:
    r"""An activation function with a known dual.

    `latex` is phi(s). `has_closed_form` is False where the dual is a single integral.
    `parameters` maps each parameter to its domain; the one integer among them is `degree`.
    """

    name: str
    latex: str
    has_closed_form: bool
    duals: Duals | Callable[[int], Duals]

    @property
    def parameters(self) -> Mapping[str, Interval | str]:
        """Domain of each parameter."""
        if isinstance(self.duals, Duals):
            return dict(self.duals.dual.parameters)
        return {"degree": f"integers in [0, {MOST_DEGREE}]"}

    def with_parameters(self, given: Mapping[str, Any]) -> tuple[Duals, dict[str, Any]]:
        """Formulas and their real parameters; TypeError for a missing or an unknown parameter."""
        unknown = [parameter for parameter in given if parameter not in self.parameters]
        missing = [parameter for parameter in self.parameters if parameter not in given]
        if unknown or missing:
            wanted = ", ".join(self.parameters) or "no parameters"
            had = ", ".join(given) or "none"
            raise TypeError(f"{self.name} takes {wanted}, got {had}")
        if isinstance(self.duals, Duals):
            return self.duals, dict(given)
        return self.duals(integer("degree", given["degree"], 0, MOST_DEGREE)), {}


_ACTIVATIONS = {
    activation.name: activation
    for activation in (
        Activation("ab_relu", "a s + b |s|", True, AB_RELU),
        Activation("relu", r"\max(s, 0)", True, RELU),
        Activation("leaky_relu", r"\max(s, 0) + \mathrm{slope} \min(s, 0)", True, LEAKY_RELU),
        Activation("abs", "|s|", True, ABS),
        Activation("sign", r"\operatorname{sgn}(s)", True, SIGN),
        Activation("step", r"1_{s > 0}", True, STEP),
        Activation("identity", "s", True, monomial(1)),
        Activation("monomial", r"s^{\mathrm{degree}}", True, monomial),
        Activation("rectified_monomial", r"1_{s > 0} s^{\mathrm{degree}}", True, rectified_monomial),
        Activation("hermite", r"\mathrm{He}_{\mathrm{degree}}(s)", True, hermite),
        Activation("sin", r"\sin(\mathrm{frequency}\, s + \mathrm{phase})", True, SIN),
        Activation("cos", r"\cos(\mathrm{frequency}\, s + \mathrm{phase})", True, COS),
        Activation("exp", r"e^{\mathrm{rate}\, s}", True, EXP),
        Activation("gaussian", r"e^{\mathrm{rate}\, s^2}", True, GAUSSIAN),
        Activation("erf", r"\operatorname{erf}(\mathrm{scale}\, s)", True, ERF),
        Activation("gelu", r"s \Phi(s)", True, GELU),
        Activation("clip", r"\max(-\mathrm{bound}, \min(s, \mathrm{bound}))", False, CLIP),
    )
}


def list_activations() -> tuple[Activation, ...]:
    r"""List the activations with a known dual: name, LaTeX, parameters, whether it is closed.

    >>> [activation.name for activation in list_activations() if not activation.has_closed_form]
    ['clip']
    >>> leaky = list_activations()[2]
    >>> leaky.latex, {name: str(domain) for name, domain in leaky.parameters.items()}
    ('\\max(s, 0) + \\mathrm{slope} \\min(s, 0)', {'slope': '(-infinity, infinity)'})
    """
    return tuple(_ACTIVATIONS.values())


def find_activation(name: str) -> Activation:
    """Look an activation up by its name; ValueError with the nearest name for an unknown one."""
    if not isinstance(name, str):
        raise TypeError(f"name must be the name of an activation, got {shown(name)}")
    if name in _ACTIVATIONS:
        return _ACTIVATIONS[name]
    plain = re.sub(r"[\s-]+", "_", name.strip().lower())
    near = difflib.get_close_matches(plain, _ACTIVATIONS, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    known = ", ".join(_ACTIVATIONS)
    raise ValueError(f"name must be one of {known}, got {name!r}{hint}")
