"""The attention layer at many samples and heads, block by block so that arrays stay in the cache.

With e_t = exp(z_t) (up to a factor) and s_t = U.X_t one batched product with the rows (X_t, 1)
gives all that the model and its gradients need,

    sum e_t,  sum e_t X_t,  sum e_t s_t,  sum e_t s_t X_t,

and then a = (sum e_t X_t)/(sum e_t), U.a = (sum e_t s_t)/(sum e_t) and
M U = sum alpha_t s_t X_t - (U.a) a. No array of samples x heads x d x d is ever formed.

Blocks of samples are fixed by the shapes alone, and what they yield is put together in their
order: results do not depend on the number of threads.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy as np

from numeric.arguments import Floats, positive_integer
from numeric.networks.transformer.parameters import Inputs
from numeric.one_thread import one_thread

Result = TypeVar("Result")

# Samples whose blocks one thread works through, with one set of arrays.
_CHUNK = 256
# Floats in the largest array of a block (2 MB): measured best on 1 MB of second-level cache.
_BLOCK_FLOATS = 2**18
# exp(300) < 2e130: with |z_t| below, sums of exponentials neither overflow nor vanish.
_SAFE_LOGIT = 300.0


class Moments(NamedTuple):
    """What the attention layer yields at b samples and m heads."""

    queries: Floats  # (b, d)
    preactivations: Floats  # U_i.a_i, (b, m)
    means: Floats  # a_i, (b, d, m)
    spreads: Floats  # M_i U_i, (b, d, m)


@dataclass(frozen=True)
class Weights:
    """The matrices of a set of heads, laid out for products with rows of samples."""

    logits: Floats  # (d, d m): q -> (W_i q)_k at k m + i
    directions: Floats  # (d, m)

    @classmethod
    def of(cls, W: Floats, U: Floats) -> "Weights":
        """Lay out W ``(m, d, d)`` and U ``(m, d)``."""
        return cls(mapped(W), np.ascontiguousarray(U.T))


def mapped(W: Floats) -> Floats:
    """W_i as a (d, d m) matrix that maps queries to (W_i q)_k at k m + i."""
    m, d, _ = W.shape
    return np.ascontiguousarray(W.transpose(2, 1, 0)).reshape(d, d * m)


def each_block(
    inputs: Inputs, heads: Weights, use: Callable[[slice, Moments], Result], threads: int | None
) -> list[Result]:
    """``use(samples, moments)`` for every block of samples, in order.

    ``use`` may overwrite the moments; what it returns must not share memory with them.
    """
    workers = _available() if threads is None else positive_integer("threads", threads)
    starts = range(0, inputs.n, _CHUNK)

    def chunk(start: int) -> list[Result]:
        return _chunk(inputs, heads, use, start)

    with one_thread():
        if workers == 1 or len(starts) == 1:
            return list(chain.from_iterable(map(chunk, starts)))
        with ThreadPoolExecutor(min(workers, len(starts))) as pool:
            return list(chain.from_iterable(pool.map(chunk, starts)))


def _available() -> int:
    """The processors that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _chunk(
    inputs: Inputs, heads: Weights, use: Callable[[slice, Moments], Result], start: int
) -> list[Result]:
    stop = min(start + _CHUNK, inputs.n)
    tokens = inputs.tokens[start:stop]
    d, m = heads.directions.shape
    size = max(1, min(len(tokens), _BLOCK_FLOATS // (2 * inputs.T * m)))
    arrays = np.empty((size, inputs.T, 2 * m)), np.empty((size, d + 1, 2 * m))
    with_one = np.ones((len(tokens), d + 1, inputs.T))
    with_one[:, :d] = tokens.transpose(0, 2, 1)
    results = []
    for first in range(0, len(tokens), size):
        part = slice(first, min(first + size, len(tokens)))
        samples = slice(start + part.start, start + part.stop)
        queries = inputs.queries[samples]
        results.append(use(samples, _moments(tokens[part], with_one[part], queries, heads, *arrays)))
    return results


def _moments(
    tokens: Floats, with_one: Floats, queries: Floats, heads: Weights, terms: Floats, sums: Floats
) -> Moments:
    count, (d, m) = len(tokens), heads.directions.shape
    both, totals = terms[:count], sums[:count]
    _exponentials(tokens, (queries @ heads.logits).reshape(count, d, m), both[..., :m])
    np.matmul(tokens, heads.directions, out=both[..., m:])
    both[..., m:] *= both[..., :m]
    np.matmul(with_one, both, out=totals)
    return Moments(queries, *_normalised(totals, d, m))


def _normalised(totals: Floats, d: int, m: int) -> tuple[Floats, Floats, Floats]:
    inverse = 1 / totals[:, d, :m]
    preactivations = totals[:, d, m:] * inverse
    means, spreads = totals[:, :d, :m], totals[:, :d, m:]
    means *= inverse[:, None]
    spreads *= inverse[:, None]
    spreads -= preactivations[:, None] * means
    return preactivations, means, spreads


def _exponentials(tokens: Floats, mapped_queries: Floats, out: Floats) -> None:
    """exp(X_t.W_i q) up to a factor for each sample and head, where it could overflow."""
    np.matmul(tokens, mapped_queries, out=out)
    largest = max(mapped_queries.max(), -mapped_queries.min())
    if largest * np.abs(tokens).sum(axis=2).max() > _SAFE_LOGIT:
        out -= out.max(axis=1, keepdims=True)
    np.exp(out, out=out)
