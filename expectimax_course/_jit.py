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
