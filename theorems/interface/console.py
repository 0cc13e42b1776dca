"""An IPython session with the functions and claims loaded, and numbers shown in full."""

import functools
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np

import symbolic
from theorems.engine.claims import registry as registries
from theorems.interface.commands.selecting import tell_broken
from theorems.interface.evaluate import namespace

__all__ = ["names", "show_all_digits", "start"]


def names() -> dict[str, Any]:
    """What a session knows: the numeric functions, the package ``symbolic`` and ``claims``."""
    functions = {name: _labelled(thing) for name, thing in namespace().items()}
    return {**functions, "symbolic": symbolic, "claims": registries.load().claims}


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
    """Make IPython's plain-text formatter print labelled numbers in full, in arrays too."""

    def printer(write: Callable[[Any], str]) -> Callable[..., None]:
        return lambda value, pretty, _cycle: pretty.text(write(value))

    formatter.for_type(mpmath.mpf, printer(_text))
    formatter.for_type(
        np.ndarray,
        printer(lambda array: np.array_repr(array) if array.dtype != object else _table(array)),
    )


def _table(array: Any) -> str:
    return np.array2string(array, formatter={"object": _text}, separator=", ")


def start() -> None:
    """Open the session."""
    import IPython  # noqa: PLC0415 - slow, and only a session needs it
    from traitlets.config import Config  # noqa: PLC0415

    tell_broken(registries.load().broken)
    known = names()
    banner = f"{len(known)} names loaded, e.g. varrho('0.3', 1, digits=50); claims['eoc.prop17']\n"
    startup = [
        "from theorems.interface.console import show_all_digits as _show",
        "_show(get_ipython().display_formatter.formatters['text/plain'])",
    ]
    config = Config({"TerminalInteractiveShell": {"banner1": banner}})
    config.InteractiveShellApp.exec_lines = startup
    IPython.start_ipython(argv=[], user_ns=known, config=config)
