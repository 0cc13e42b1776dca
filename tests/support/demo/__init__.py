"""A paper of elementary claims, of every kind and grade, to try the engine on."""

from theorems.engine import Paper

PAPER = Paper("demo", "A demonstration of 100% of the engine", "Nobody")
SECTIONS = ("basics", "kinds", "slow")
