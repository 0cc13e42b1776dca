"""Run benchmarks: `python -m benchmarks [NAME ...]`, all of them without a name."""

import sys
from collections.abc import Callable

from rich.console import Console

from benchmarks import (
    accuracy,
    attention_kernels,
    attention_law,
    digits,
    exact_law,
    limiting_ntk,
    softmax_accuracy,
    start_up,
    transformer_step,
    whole_run,
)

BENCHMARKS: dict[str, Callable[[Console], None]] = {
    "accuracy": accuracy.run,
    "attention_kernels": attention_kernels.run,
    "attention_law": attention_law.run,
    "digits": digits.run,
    "limiting_ntk": limiting_ntk.run,
    "exact_law": exact_law.run,
    "softmax_accuracy": softmax_accuracy.run,
    "transformer_step": transformer_step.run,
    "start_up": start_up.run,
    "whole_run": whole_run.run,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        known = ", ".join(BENCHMARKS)
        print(f"no benchmark {', '.join(unknown)}; there are: {known}", file=sys.stderr)
        return 2
    console = Console()
    for name in names or BENCHMARKS:
        BENCHMARKS[name](console)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
