"""What runs inside the sandbox: the student's cells, then one call per case; plain JSON lines come out.

Nothing here knows a right answer, and nothing heavy is imported: the start of this process is most of what
grading costs. The student's code can read, patch and forge everything in this process, and gains nothing:
all it can do is answer, and the judge outside compares the answers.

The channel is a private copy of standard output; what the student prints goes nowhere. Each line is one
object:

* ``{"started": true}`` — what the grader itself needs is there, and no line of the student's has run;
* ``{"begin": i}`` — cell ``i`` starts; the last one tells the judge which cell hung or killed the process;
* ``{"cell": i, "error": ...}`` — the cell failed and was skipped;
* ``{"forbidden": module, "at": i or null}`` — an import of a part of the package that is the answer key;
* ``{"calls": "function" | "value" | "missing" | "not callable"}`` — the cases start;
* ``{"id": id, "value": ...}`` or ``{"id": id, "error": ...}`` — the answer to one call;
* ``{"done": true}``.
"""

from __future__ import annotations
import __future__

import builtins
import json
import os
import sys
import time
from _ast import PyCF_ALLOW_TOP_LEVEL_AWAIT
from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from importlib.machinery import ModuleSpec
from opcode import opmap
from types import CodeType, ModuleType
from typing import Any

from expectimax_course.grading.codec import PACKAGE, decode, plain

INERT = ("matplotlib", "IPython", "ipywidgets", f"{PACKAGE}.widgets", f"{PACKAGE}.viz", f"{PACKAGE}.apps")
"""Drawing is not graded: these modules import as objects that do nothing, see ``Inert``."""


class Inert:
    """Does nothing, in every use that a plot or a widget is put to, so that the answer in the same cell still comes.

    It may be called, indexed, unpacked into any number of names, calculated with, compared, measured and turned into a
    number (0) or a text. In a loop it gives two more of its kind.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # a class that inherits from one of these objects
        pass

    def __call__(self, *args: Any, **kwargs: Any) -> Inert:
        return self

    def __getattr__(self, name: str) -> Inert:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key: Any) -> Inert:
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        return None

    def __iter__(self) -> Iterator[Inert]:
        frame = sys._getframe(1)  # as many as the caller unpacks: "n, bins, patches = plt.hist(...)"
        code = frame.f_code.co_code[frame.f_lasti :]
        return iter([self] * (code[1] if code[0] == opmap["UNPACK_SEQUENCE"] else len(self)))

    def __len__(self) -> int:
        return 2

    def __int__(self) -> int:
        return 0

    __index__ = __int__

    def __float__(self) -> float:
        return 0.0

    def __format__(self, spec: str) -> str:
        return ""

    def __enter__(self) -> Inert:
        return self

    def __exit__(self, *error: object) -> None:
        return None


_OPERATIONS = """
    add sub mul truediv floordiv mod pow matmul radd rsub rmul rtruediv rfloordiv rmod rpow rmatmul
    or ror and rand neg pos abs round lt le gt ge
"""
for _name in _OPERATIONS.split():
    setattr(Inert, f"__{_name}__", Inert.__call__)


class InertModule(ModuleType):
    """A module of which every name is inert."""

    __path__: MutableSequence[str] = []  # noqa: RUF012 — what makes it a package

    def __getattr__(self, name: str) -> Inert:
        if name.startswith("__"):
            raise AttributeError(name)
        return Inert()


class Gate:
    """The last finder: makes drawing inert and reports imports of the package's answer key."""

    def __init__(self) -> None:
        self.report: Callable[[str], None] = lambda name: None

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if any(fullname == name or fullname.startswith(name + ".") for name in INERT):
            return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]
        if fullname.split(".")[0] == PACKAGE:
            self.report(fullname)
            raise ImportError(f"{fullname} is not part of this exercise: write this one yourself", name=fullname)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return InertModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        return None


def describe_error(error: BaseException, *, shown: bool) -> dict[str, Any]:
    """Return what may be told of an exception, without ever raising.

    Of a case that nobody may see only the built-in type names go out: a message, or a class made for the
    purpose, could carry the arguments. Otherwise also the message and the last line of the student's own
    code; never a frame of a reference.
    """
    try:
        names = [cls.__name__ for cls in type(error).__mro__ if getattr(builtins, cls.__name__, None) is cls]
        return {"names": names} if not shown else _tell(error, names)
    except BaseException:  # its own __str__ or __traceback__ may do anything
        return {"names": ["Exception"]}


def _tell(error: BaseException, names: list[str]) -> dict[str, Any]:
    told: dict[str, Any] = {"names": [type(error).__name__[:60], *names], "message": str(error)[:300]}
    if isinstance(error, SyntaxError):
        told["message"] = str(error.msg)[:300]
        told["where"] = [str(error.filename)[:40], error.lineno, (error.text or "").strip()[:120]]
        return told
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith("<cell "):
            told["where"] = [file[:40], trace.tb_lineno, ""]
        trace = trace.tb_next
    return told


Caught = type[BaseException] | tuple[type[BaseException], ...]


def call(
    fn: Any, job: Mapping[str, Any], request: Mapping[str, Any], *, catch: Caught = BaseException
) -> dict[str, Any]:
    """Carry out one call and return the line to send; what is in ``catch`` becomes part of the line."""
    try:
        args = [decode(arg) for arg in request["args"]]
        if job["kind"] in ("value", "choice"):
            value = fn[args[0]] if args else fn
        elif job["kind"] == "sampler":
            from expectimax_course.rng import Rng

            rng = Rng(request["seed"])
            value = [fn(*args, rng) for _ in range(request["draws"])]
        else:
            value = fn(*args)
        return {"id": request["id"], "value": plain(value)}
    except catch as error:
        return {"id": request["id"], "error": describe_error(error, shown=request["shown"])}


def references(entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Run the references of earlier questions in a namespace of their own; return what they are called and are.

    Whatever they raise is a fault of the course and ends this process before it has started.
    """
    namespace: dict[str, Any] = {"__name__": "reference"}
    pinned: dict[str, Any] = {}
    for entry in entries:
        exec(compile(entry["source"], "<reference>", "exec", dont_inherit=True), namespace)
        if entry["question"]:
            name = entry["question"].partition(".")[2]
            pinned[name] = namespace[name]
    return pinned


class Notebook:
    """A namespace in which cells run one after another as IPython runs them, as far as an answer may need it."""

    def __init__(self) -> None:
        module = sys.modules["__main__"] = ModuleType("__main__")
        self.namespace = module.__dict__
        self.namespace |= {"__builtins__": builtins, "display": Inert(), "get_ipython": Inert(), "help": Inert()}
        self.flags = PyCF_ALLOW_TOP_LEVEL_AWAIT

    def run(self, source: str, file: str) -> None:
        """Run one cell as Python, else, where that fails, without the lines that only IPython reads.

        Its future statements hold for the cells below too, and ``await`` may stand outside a function.
        """
        code: CodeType
        try:
            code = compile(source, file, "exec", self.flags, dont_inherit=True)
        except SyntaxError:
            from expectimax_course.grading.magics import without_magics

            code = compile(without_magics(source), file, "exec", self.flags, dont_inherit=True)
        self.flags |= code.co_flags & __future__.annotations.compiler_flag
        waiting = eval(code, self.namespace)
        if waiting is not None:
            import asyncio

            asyncio.run(waiting)


def run(job: Mapping[str, Any], send: Callable[[Mapping[str, Any]], None]) -> None:
    """Run one question of one submission."""
    gate = Gate()
    sys.meta_path.append(gate)
    pinned = references(job["references"])
    os.dup2(1, 2)  # until here what went wrong was a fault of the grader's own, and told
    send({"started": True})
    place: list[int | None] = [None]
    gate.report = lambda name: send({"forbidden": name[:100], "at": place[0]})
    notebook = Notebook()
    namespace = notebook.namespace
    latest, clock = time.monotonic() + job["cells_seconds"], time.monotonic
    for cell in job["cells"]:
        if clock() > latest:
            late = f"not run, because the cells above it took more than {job['cells_seconds']:g} s"
            send({"cell": cell["index"], "error": {"names": ["TimeoutError"], "message": late}})
            continue
        place[0] = cell["index"]
        send({"begin": cell["index"]})
        namespace.update(pinned)
        try:
            notebook.run(cell["source"], f"<cell {cell['index']}>")
        except BaseException as error:
            send({"cell": cell["index"], "error": describe_error(error, shown=True)})
    namespace.update(pinned)
    place[0] = None
    fn = namespace.get(job["name"], ...)
    fixed = job["kind"] in ("value", "choice")
    if fn is ... or not (fixed or callable(fn)):
        send({"calls": "missing" if fn is ... else "not callable"})
    else:
        send({"calls": "value" if fixed else "function"})
        for request in job["calls"]:
            send(call(fn, job, request))
    send({"done": True})


def limit(job: Mapping[str, Any]) -> None:
    """Lower this process's limits: address space, processor time, file size, open files, no core dump."""
    try:
        import resource
    except ImportError:  # Windows has none; the wall clock outside still holds
        return
    seconds = int(job["cpu_seconds"])
    for kind, most in (
        (resource.RLIMIT_AS, job["memory"]),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 1 << 20),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_CORE, 0),
    ):
        try:
            resource.setrlimit(kind, (most, most))
        except (ValueError, OSError):  # a limit is lower already
            continue


def main() -> None:
    """Read a job from standard input, run it, and leave without giving threads or handlers a chance."""
    job = json.loads(sys.stdin.buffer.read())
    channel = os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nowhere, standard)
    leave, write, dumps = os._exit, os.write, json.dumps

    def send(message: Mapping[str, Any]) -> None:
        line = dumps(message).encode() + b"\n"
        while line:
            line = line[write(channel, line) :]

    sys.path.extend(job["path"])
    limit(job)
    run(job, send)
    leave(0)
