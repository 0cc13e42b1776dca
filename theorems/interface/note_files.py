"""Where the notes with the proofs are: beside the packages, or inside of them when installed."""

from pathlib import Path

import theorems

__all__ = ["note_file", "notes_folder"]


def notes_folder() -> Path:
    """The folder with the notes."""
    package = Path(theorems.__file__).parent
    beside = package.parent / "proofs_notes"
    return beside if beside.is_dir() else package / "proofs_notes"


def note_file(note: str) -> str:
    """A claim's note as a file and heading that one can open: short where one stands beside it.

    >>> note_file("proofs_notes/README.md#notes").endswith("proofs_notes/README.md#notes")
    True
    """
    folder = notes_folder()
    if folder.parent == Path.cwd():
        return note
    return f"{folder.parent}/{note}"
