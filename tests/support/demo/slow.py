"""Checks that take a while and leave a trace, to interrupt a run by."""

import os
import signal
import time
from pathlib import Path

from demo.basics import SHARES, claim, share
from theorems.engine import le


def leave_trace(name):
    """A line in the file $DEMO_LOG, a pause of $DEMO_PAUSE seconds, and death for $DEMO_FATAL."""
    if "DEMO_LOG" in os.environ:
        with Path(os.environ["DEMO_LOG"]).open("a", encoding="utf-8") as log:
            log.write(f"{name}\n")
        time.sleep(float(os.environ.get("DEMO_PAUSE", "0")))
    if os.environ.get("DEMO_FATAL") == name:
        os.kill(os.getpid(), signal.SIGKILL)


def slow_claim(number):
    """A claim whose check says in the log that it ran."""
    one = claim(f"demo.slow.{number}", at="Section 3", title=f"Slow {number}", states=le(share, 1))

    @one.tested(over=lambda: started(one), cases=20)
    def below(part):
        """The number itself."""
        return {share: part}

    return one


def started(one):
    """Numbers of the unit interval, its ends among them."""
    leave_trace(one.id)
    return SHARES


SLOW = [slow_claim(number) for number in range(1, 7)]
