"""How long tests wait for what should come: so long that the load of a machine does not matter."""

import time

__all__ = ["AGES", "PATIENCE", "wait_until"]

#: Seconds after which what has not come is taken not to come.
PATIENCE = 1200
#: Seconds that something takes that a test ends before its time: longer than anybody waits.
AGES = 36_000


def wait_until(condition):
    """Wait for something that another process brings about."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)
