"""Checks that take a while and leave a trace, to interrupt a run by."""

import os
import time
from pathlib import Path

from hypothesis import strategies as st

from theorems.engine import Measured, claim


def leave_trace(name):
    """A line in the file $DEMO_LOG, and a pause of $DEMO_PAUSE seconds."""
    if "DEMO_LOG" in os.environ:
        with Path(os.environ["DEMO_LOG"]).open("a", encoding="utf-8") as log:
            log.write(f"{name}\n")
        time.sleep(float(os.environ.get("DEMO_PAUSE", "0")))


def slow_claim(number):
    """A claim whose check says in the log that it ran."""
    one = claim(
        f"demo.slow.{number}", at="Section 3", title=f"Slow {number}", states=f"x \\le {number}"
    )

    @one.tested(over=lambda: started(one), cases=20, controls={"smaller": {"constant": 0.5}})
    def below(x, constant=1.0):
        """The number itself."""
        return Measured(x / constant)

    return one


def started(one):
    """Numbers of the unit interval."""
    leave_trace(one.id)
    return st.floats(0, 1)


SLOW = [slow_claim(number) for number in range(1, 7)]
