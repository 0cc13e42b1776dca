"""An IPython session with the functions and claims loaded, and numbers shown in full."""

import functools
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np

import symbolic
from theorems.engine.claims import registry as registries
from theorems.engine.claims.claim import Claim
from theorems.engine.claims.registry import Registry
from theorems.engine.running.catalogue import catalogue
from theorems.engine.running.inferences import with_confirmations
from theorems.engine.running.standing import results_of, standings
from theorems.interface.commands.selecting import tell_broken
from theorems.interface.evaluate import namespace
from theorems.interface.page import claim_page
from theorems.interface.plots import PLOTS
from theorems.interface.tables import console

__all__ = ["Claims", "names", "show_all_digits", "start"]


def names() -> dict[str, Any]:
    """What a session knows: the numeric functions, the package ``symbolic`` and ``claims``."""
    functions = {name: _labelled(thing) for name, thing in namespace().items()}
    return {**functions, **PLOTS, "symbolic": symbolic, "claims": Claims(registries.load())}


class Claims(dict[str, Claim]):
    """The claims by their ids, which TAB completes; a wrong id is told with the ones near it."""

    def __init__(self, known: Registry) -> None:
        super().__init__(known.claims)
        self._known = known

    def __missing__(self, identifier: object) -> Claim:
        if not isinstance(identifier, str):
            raise TypeError(f"the id of a claim must be a string, got {identifier!r}")
        return self._known[identifier]

    def __repr__(self) -> str:
        papers = ", ".join(one.prefix for one in self._known.papers)
        return f"{len(self)} claims of the papers {papers}, by id: claims['eoc.prop17'] shows one"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


def _labelled(thing: Any) -> Any:
    """A function whose multi-precision results remember how many digits were asked for.

    >>> value = names()["varrho"]("0.3", 1, digits=25)
    >>> print(mpmath.nstr(value, value.digits))
    0.6654885676709752432699983
    """
    if isinstance(thing, type) or not callable(thing):
        return thing

    @functools.wraps(thing)
    def call(*args: Any, **kwargs: Any) -> Any:
        value = thing(*args, **kwargs)
        for item in value.flat if isinstance(value, np.ndarray) else [value]:
            if isinstance(item, mpmath.mpf) and kwargs.get("digits"):
                item.digits = kwargs["digits"]  # an mpf keeps bits, zeros at the end forgotten
        return value

    return call


def _text(value: Any) -> str:
    """A number at the digits that it is known to have, else at mpmath's present precision."""
    if isinstance(value, mpmath.mpf):
        return str(mpmath.nstr(value, getattr(value, "digits", mpmath.mp.dps)))
    return str(value)


def show_all_digits(formatter: Any) -> None:
    """Make IPython's plain-text formatter print claims as pages and labelled numbers in full."""

    def printer(write: Callable[[Any], str]) -> Callable[..., None]:
        return lambda value, pretty, _cycle: pretty.text(write(value))

    formatter.for_type(Claim, printer(_page))
    formatter.for_type(mpmath.mpf, printer(_text))
    formatter.for_type(
        np.ndarray, printer(lambda array: np.array_repr(array) if array.dtype != object else _table(array))
    )


def _table(array: Any) -> str:
    return np.array2string(array, formatter={"object": _text}, separator=", ")


def _page(one: Claim) -> str:
    """What ``theorems show`` prints of a claim; its statement only if it is of no paper."""
    known = catalogue()
    if one.id not in known.claims:
        return f"{one.id}  {one.title}\n  {one.displayed}"
    terminal = console()
    with terminal.capture() as written:
        record, standing = known[one.id], standings(known).get(one.id)
        results = with_confirmations(results_of(record, standing))
        terminal.print(claim_page(known, record, standing, results))
    return written.get().rstrip()


_BANNER = """\
{count} names loaded: the functions of numeric, plots, the package symbolic, and the claims.
  claims['eoc.prop17']                 a claim with its verdict and evidence; TAB completes ids
  varrho('0.3', 1, digits=50)          correct digits; a float or an array gives floats
  varrho?                              what a function does, its domain, an example
  plot_cosine_maps(1)                  a figure; .savefig("maps.png") keeps it. The others:
    {plots}
"""


def start() -> None:
    """Open the session."""
    import IPython  # noqa: PLC0415 - slow, and only a session needs it
    from IPython.terminal.interactiveshell import TerminalInteractiveShell  # noqa: PLC0415
    from traitlets.config import Config  # noqa: PLC0415

    tell_broken(registries.load().broken)
    known = names()
    banner = _BANNER.format(
        count=len(known), plots=", ".join(one for one in PLOTS if one != "plot_cosine_maps")
    )
    startup = [
        "from theorems.interface.console import show_all_digits as _show",
        "_show(get_ipython().display_formatter.formatters['text/plain'])",
    ]
    shell: dict[str, object] = {"banner1": banner}
    if "enable_tip" in TerminalInteractiveShell.class_trait_names():
        shell["enable_tip"] = False  # newer ones print a tip of their own below the banner
    config = Config({"TerminalInteractiveShell": shell})
    config.InteractiveShellApp.exec_lines = startup
    IPython.start_ipython(argv=[], user_ns=known, config=config)
