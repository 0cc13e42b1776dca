"""The claim with which the page for contributors begins, put where the page says."""

import re

from checked import answer
from house import ROOT

from theorems.engine.claims import registry
from theorems.engine.claims.claim import Claim
from theorems.engine.judging.answers import Answer
from theorems.eoc_mlp.one_layer.distances import distance_map

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_the_claim_in_ten_lines_holds_where_the_page_puts_it():
    (block, *_) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names = dict(vars(distance_map))
    exec(compile(block, distance_map.__file__, "exec"), names)
    made = names["BELOW"]
    assert isinstance(made, Claim)
    assert len(made.evidence) == 1
    assert answer(made, *registry.load().claims.values()).answer is Answer.ACCEPTED
