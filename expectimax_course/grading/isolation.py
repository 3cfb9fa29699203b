"""The command line of bubblewrap: what a sandboxed Python may see, and the system call filter.

References
----------
bubblewrap: https://github.com/containers/bubblewrap. The filter is classic BPF, see seccomp(2).
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import site
import struct
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path

import expectimax_course

START = "import sys; sys.path.insert(0, {stage!r}); from expectimax_course.grading.worker import main; main()"
"""What the sandboxed Python runs; ``stage`` is the folder made by ``sandbox.stage``."""


@cache
def bubblewrap() -> str | None:
    """Return the path of bubblewrap if it is installed and may make namespaces here, else None."""
    path = shutil.which("bwrap")
    if path is None:
        return None
    probe = [path, "--unshare-all", "--ro-bind", "/", "/", "true"]
    return path if subprocess.run(probe, env={}, capture_output=True, check=False).returncode == 0 else None


def find_numpy() -> Path | None:
    """Return the folder of the installed NumPy, which a sandbox may see, without importing it."""
    spec = importlib.util.find_spec("numpy")
    return Path(spec.origin).parent if spec and spec.origin else None


def isolated_command(bwrap: str, staged: Path, numpy_path: Path | None, filter_fd: int) -> list[str]:
    """Return the command that starts Python in a namespace of its own.

    Parameters
    ----------
    bwrap : path of bubblewrap
    staged : the folder with the open part of this package
    numpy_path : NumPy's folder if the submission uses it
    filter_fd : file descriptor from which bubblewrap reads ``system_call_filter()``
    """
    command = [bwrap, "--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534"]
    command += ["--die-with-parent", "--new-session", "--cap-drop", "ALL", *_system()]
    command += ["--ro-bind", str(staged), "/stage"]
    if numpy_path is not None:
        command += ["--ro-bind", str(numpy_path), "/site/numpy"]
        libraries = numpy_path.parent / "numpy.libs"
        if libraries.is_dir():
            command += ["--ro-bind", str(libraries), "/site/numpy.libs"]
    command += ["--size", str(16 << 20), "--tmpfs", "/tmp", "--chdir", "/tmp"]
    command += ["--remount-ro", "/dev", "--remount-ro", "/", "--setenv", "OPENBLAS_NUM_THREADS", "1"]
    if system_call_filter() is not None:
        command += ["--seccomp", str(filter_fd)]
    python = os.path.realpath(sys.executable)
    return [*command, python, "-I", "-S", "-c", START.format(stage="/stage")]


@cache
def _system() -> tuple[str, ...]:
    """Return the read-only binds that Python needs, with every place where packages are installed masked."""
    python = Path(sys.executable).resolve()
    standard = Path(sysconfig.get_path("stdlib")).resolve()
    shown = [Path("/usr/lib"), Path("/usr/lib64"), Path("/usr/lib32"), standard, standard.parent, python]
    command: list[str] = []
    for top in (Path("/lib"), Path("/lib64"), Path("/lib32")):
        if top.is_symlink():
            command += ["--symlink", os.readlink(top), str(top)]
        elif top.is_dir():
            shown.insert(0, top)
    bound: list[Path] = []
    for path in shown:
        if path.exists() and not any(path.is_relative_to(other) for other in bound):
            command += ["--ro-bind", str(path), str(path)]
            bound.append(path)
    prefixes = [sys.base_prefix, sys.prefix, "/usr", "/usr/local"]
    packages = {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}
    packages |= {Path(folder) for folder in site.getsitepackages(prefixes)}
    packages |= {Path(expectimax_course.__file__).parent.parent, Path("/usr/lib/python3/dist-packages")}
    for folder in sorted({path.resolve() for path in packages if path.is_dir()}):
        if any(folder.is_relative_to(other) for other in bound):
            command += ["--tmpfs", str(folder), "--remount-ro", str(folder)]
    return (*command, "--dev", "/dev")


@cache
def system_call_filter() -> bytes | None:
    """Return a system call filter; None on an unknown machine.

    It refuses new processes and allows threads: a process limit would not bind root, and one per user would count the
    instructor's own processes. It refuses System V's shared memory, queues and semaphores, which no memory limit of a
    process counts::

        wrong architecture            → EPERM
        fork, vfork                   → EPERM
        shmget, msgget, semget        → EPERM
        clone without CLONE_THREAD    → EPERM
        clone3 (its flags are hidden) → ENOSYS, upon which the C library falls back to clone
        anything else                 → allowed
    """
    numbers = {
        "x86_64": (0xC000003E, 56, 435, (57, 58, 29, 68, 64)),
        "aarch64": (0xC00000B7, 220, 435, (194, 186, 190)),
    }
    known = numbers.get(platform.machine())
    if sys.platform != "linux" or known is None:
        return None
    architecture, clone, clone3, refused = known
    load, equal, any_bit, back = 0x20, 0x15, 0x45, 0x06
    allow, refuse, absent = 0x7FFF0000, 0x00050001, 0x00050026
    program = [(load, 0, 0, 4), (equal, 1, 0, architecture), (back, 0, 0, refuse), (load, 0, 0, 0)]
    program += [(0x35, 0, 1, 0x40000000), (back, 0, 0, refuse)]  # the x32 numbering
    for number in refused:
        program += [(equal, 0, 1, number), (back, 0, 0, refuse)]
    program += [(equal, 0, 1, clone3), (back, 0, 0, absent)]
    program += [(equal, 0, 3, clone), (load, 0, 0, 16), (any_bit, 1, 0, 0x00010000), (back, 0, 0, refuse)]
    program += [(back, 0, 0, allow)]
    return b"".join(struct.pack("=HBBI", *step) for step in program)
