"""Write the reference of the public functions from their docstrings: ``make api``.

The pages load nothing from a network: formulas in LaTeX become MathML, which browsers know.
"""

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import markdown2
import pdoc
from jinja2 import pass_context
from jinja2.runtime import Context
from latex2mathml.converter import convert
from pdoc.render_helpers import to_markdown_with_context

PACKAGES = ("numeric", "symbolic", "theorems.engine", "theorems.interface.figure")
OUTPUT = Path("build/api")
#: How docstrings are read: ``x_1`` is no emphasis, a list needs no blank line, ``>>>`` is code.
EXTRAS = ("code-friendly", "cuddled-lists", "fenced-code-blocks", "header-ids", "pyshell", "toc")
DISPLAYED = re.compile(r"^( *)\.\. math::.*(?:\n\1 +\S.*)*", re.MULTILINE)
FORMULA = re.compile(r"\$\$(?P<block>.+?)\$\$|\\\\\((?P<inline>.+?)\\\\\)", re.DOTALL)


def write(folder: Path) -> None:
    """Write all pages; a warning of the generator is left to the caller."""
    for name in PACKAGES:
        load(name)
    pdoc.render.configure(
        docformat="restructuredtext",
        math=False,
        show_source=False,
        template_directory=Path(__file__).parent / "templates",
    )
    pdoc.render.env.filters |= {"to_markdown": plain, "to_html": page_text}
    pdoc.pdoc(*PACKAGES, output_directory=folder)


def load(name: str) -> None:
    """Import a module, and all names that it loads when they are first asked for."""
    module = import_module(name)
    for public in getattr(module, "__all__", ()):
        vars(module)[public] = getattr(module, public)


@pass_context
def plain(context: Context, docstring: str) -> Any:
    """A docstring as Markdown; each displayed formula is on one line before it is read."""
    lines = DISPLAYED.sub(lambda one: f"{one[1]}{' '.join(one[0].split())}\n", docstring)
    return to_markdown_with_context(context, re.sub(r"(?<=\w)::$", ":", lines, flags=re.MULTILINE))


def page_text(docstring: str) -> Any:
    """Markdown as HTML, formulas as MathML; ``<x, y>`` is an inner product and no tag."""
    formulas: list[str] = []

    def aside(found: re.Match[str]) -> str:
        block, inline = found["block"], found["inline"]
        latex = " ".join((block or inline).split())
        formulas.append(convert(latex, display="block" if block else "inline"))
        return f"FORMULA{len(formulas) - 1}END"

    page = markdown2.markdown(FORMULA.sub(aside, docstring), extras=EXTRAS, safe_mode="escape")
    text = page.replace("&amp;lt;", "&lt;")  # what stands in code is escaped twice
    return _Page(re.sub(r"FORMULA(\d+)END", lambda one: formulas[int(one[1])], text), page)


class _Page(str):
    """HTML with its table of contents, which the templates ask for."""

    def __new__(cls, text: str, page: Any) -> "_Page":
        made = super().__new__(cls, text)
        made.toc_html = page.toc_html
        return made

    toc_html: str | None


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT)
