"""Many small cases in one test: each is tried, and the one that fails is told."""

import functools
import inspect


def each(names, *cases):
    """Like ``pytest.mark.parametrize``, but one test goes through all cases.

    ``names`` are parameters of the test, in a string or a list; a case is a value, or a tuple of
    values if there are several names.  Other parameters are left to pytest.
    """
    listed = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    tried = [case if len(listed) > 1 else (case,) for case in cases]

    def decorate(test):
        @functools.wraps(test)
        def run(*args, **kwargs):
            for case in tried:
                chosen = dict(zip(listed, case, strict=True))
                try:
                    test(*args, **kwargs, **chosen)
                except BaseException as error:
                    error.add_note(f"with {chosen}")
                    raise

        known = inspect.signature(test)
        rest = [one for name, one in known.parameters.items() if name not in listed]
        run.__signature__ = known.replace(parameters=rest)
        del run.__wrapped__  # pytest would look through it for parameters
        return run

    return decorate
