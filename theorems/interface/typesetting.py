"""LaTeX documents as PDF, by the pdflatex of the machine."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

__all__ = ["TypesettingError", "booktabs", "pdf", "typeset"]

_RUNS = 3  # contents and links need the pages of the run before


class TypesettingError(Exception):
    """There is no pdflatex, or it complains about the document."""


def pdf(document: str) -> bytes:
    """The document as PDF; TypesettingError with the first complaint otherwise."""
    return typeset(document)[0]


def typeset(document: str) -> tuple[bytes, str]:
    """The document as PDF, and what pdflatex says of it; TypesettingError as with `pdf`."""
    if shutil.which("pdflatex") is None:
        raise TypesettingError("there is no pdflatex on this machine; the LaTeX needs it")
    with tempfile.TemporaryDirectory(prefix="theorems-latex-") as folder:
        source = Path(folder) / "claims.tex"
        source.write_text(document, encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", source.name]
        for _ in range(_RUNS):
            done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
            if done.returncode:
                raise TypesettingError(_complaint(done.stdout.decode("utf-8", "replace")))
        return source.with_suffix(".pdf").read_bytes(), done.stdout.decode("utf-8", "replace")


def booktabs(columns: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""A table that may run over several pages; what it needs is said in its first line.

    >>> print(booktabs("ll", ["a", "b"], [["1", "2"]]))
    % needs \usepackage{amsmath,amssymb,array,booktabs,longtable}
    \begin{longtable}{ll}
    \toprule
    a & b \\
    \midrule
    \endhead
    1 & 2 \\
    \bottomrule
    \end{longtable}
    """
    lines = [rf"{' & '.join(cells)} \\" for cells in rows]
    return "\n".join(
        [
            r"% needs \usepackage{amsmath,amssymb,array,booktabs,longtable}",
            rf"\begin{{longtable}}{{{columns}}}",
            *(r"\toprule", rf"{' & '.join(head)} \\", r"\midrule", r"\endhead"),
            *lines,
            r"\bottomrule",
            r"\end{longtable}",
        ]
    )


def _complaint(log: str) -> str:
    found = re.search(r"^! (.*)$", log, re.MULTILINE)
    line = re.search(r"^l\.(\d+)", log, re.MULTILINE)
    said = found[1] if found else "it ended without a reason"
    return f"pdflatex: {said}" + (f" (line {line[1]})" if line else "")
