"""The numba shim: kernels compile where numba is installed and run as plain Python where it is not.

Import ``njit`` from here, never from numba. Kernels are cached on disk, so they must not recurse (a cached recursive
kernel passes once and can crash the next process), must take their tables as arguments (globals are frozen into the
cache) and must keep their helpers in the same file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

try:
    import numba

    HAVE_NUMBA = True
except ImportError:
    HAVE_NUMBA = False


def prefetch(array: Any, index: Any) -> None:
    """Ask the memory for ``array[index]``, along the first axis, and go on: a hint to the processor, for kernels."""


if HAVE_NUMBA:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload

    @intrinsic
    def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = signature.args[0]
            view = context.make_array(kind)(context, builder, arguments[0])
            places = [arguments[1]] + [context.get_constant(types.uintp, 0)] * (kind.ndim - 1)
            place: Any = cgutils.get_item_pointer(context, builder, kind, view, places, wraparound=False)  # type: ignore[no-untyped-call]
            place = builder.bitcast(place, ir.IntType(8).as_pointer())
            call = [place, *(ir.Constant(ir.IntType(32), n) for n in (0, 3, 1))]  # a read, soon again, of data
            form = ir.FunctionType(ir.VoidType(), [argument.type for argument in call])
            builder.call(builder.module.declare_intrinsic("llvm.prefetch", [place.type], form), call)
            return context.get_dummy_value()

        return types.void(array, types.uintp), generate

    @overload(prefetch, inline="always")
    def _(array, index):  # type: ignore[no-untyped-def]  # numba compares both signatures, annotations and all
        return lambda array, index: _prefetch(array, index)  # type: ignore[call-arg]


def njit(**options: Any) -> Callable[[F], F]:
    """Compile a function in nopython mode, cached on disk, or return it unchanged where numba is missing.

    Parameters
    ----------
    **options
        Passed to ``numba.njit``; ``cache=True`` and ``nogil=True`` unless said otherwise. Never ``fastmath``: kernels
        give the same bits as the readable version.
    """

    def decorate(function: F) -> F:
        if not HAVE_NUMBA:
            return function
        return cast(F, numba.njit(**{"cache": True, "nogil": True, **options})(function))

    return decorate
