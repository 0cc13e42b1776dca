"""What is done where nothing can be kept: a run goes on, and says so once."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from theorems.engine.running.store import Label, Store
from theorems.engine.telling import tell

__all__ = ["Keeper"]


@dataclass
class Keeper:
    """Writes into stores as long as that is possible: not on a full disk, or in a folder to read.

    Results that cannot be kept are as good as others, so a run goes on without keeping them.
    """

    works: bool = True

    def prepare(self, *stores: Store) -> None:
        """Find out beforehand whether anything can be kept."""
        try:
            for one in stores:
                one.prepare()
        except OSError as error:
            self._give_up(stores[0], error)

    def keep(self, store: Store, entries: Iterable[tuple[Label, Any]]) -> None:
        """Keep data under their labels, for good."""
        if self.works:
            try:
                store.extend(entries)
            except OSError as error:
                self._give_up(store, error)

    def tidy(self, *stores: Store) -> None:
        """Drop what is old."""
        if self.works:
            for one in stores:
                one.tidy()

    def _give_up(self, store: Store, error: OSError) -> None:
        self.works = False
        why = error.strerror or error
        tell(f"results are not kept, as nothing can be written in {store.path.parent}: {why}")
