"""Kernels of an attention layer of infinitely many heads, exactly: values and derivations."""

from symbolic.attention_kernels.derivations import derive_attention_kernel, derive_attention_tangent_kernel
from symbolic.attention_kernels.exact import attention_kernel, attention_tangent_kernel

__all__ = [
    "attention_kernel",
    "attention_tangent_kernel",
    "derive_attention_kernel",
    "derive_attention_tangent_kernel",
]
