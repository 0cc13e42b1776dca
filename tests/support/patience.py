"""How long tests wait for what should come: so long that the load of a machine does not matter."""

__all__ = ["AGES", "PATIENCE"]

#: Seconds after which what has not come is taken not to come.
PATIENCE = 1200
#: Seconds that something takes that a test ends before its time: longer than anybody waits.
AGES = 36_000
