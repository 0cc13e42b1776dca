"""A paper of three claims, one of them false, to try the engine on."""

from theorems.engine import Paper

PAPER = Paper("demo", "A demonstration", "Nobody", ("basics",))
