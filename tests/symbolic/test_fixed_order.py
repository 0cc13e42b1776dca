"""SymPy finds out the same about an expression in every process."""

import json
import os
import subprocess
import sys

from sympy import Symbol
from sympy.core.random import random

from symbolic.fixed_order import begin_anew
from theorems.engine.running.sources import Sources

_ASKED = """
import json
import symbolic.fixed_order
from sympy import Function, Symbol

asked = []

def handler(name):
    def answer(self):
        asked.append(name)
    return answer

names = ("positive", "negative", "zero", "integer", "rational", "algebraic", "real", "finite",
         "even", "prime", "imaginary", "hermitian", "commutative", "complex", "irrational")
Curious = type("Curious", (Function,), {f"_eval_is_{name}": handler(name) for name in names})
Curious(Symbol("x")).is_composite
print(json.dumps(asked))
"""


def _order(seed):
    done = subprocess.run(
        [sys.executable, "-c", _ASKED],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_facts_are_asked_in_one_order():
    first = _order("0")
    assert len(first) > 8
    assert _order("1") == first
    assert _order("2") == first


def test_points_that_are_tried_at_random_are_the_same_ones():
    begin_anew()
    first = [random() for _ in range(3)]
    (Symbol("x") ** 2).equals(Symbol("y"))
    begin_anew()
    assert [random() for _ in range(3)] == first


def test_whatever_of_the_engine_and_of_symbolic_takes_sympy_takes_its_order():
    sources = Sources.read()
    takers = [
        name
        for name, module in sources.modules.items()
        if name.startswith(("theorems.engine.", "symbolic."))
        and any(where.split(".")[0] == "sympy" for where, _ in module.imports)
    ]
    assert len(takers) > 50
    without = [one for one in takers if "symbolic.fixed_order" not in sources.closure([one])]
    assert without == []
