"""Checkpoints of long training runs: arrays and settings in one file that is never half written."""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray


class CheckpointError(ValueError):
    """A checkpoint is missing, unreadable, or of other settings."""


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file whole: whoever reads ``path`` finds the old bytes or the new, even after a kill."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def save_checkpoint(path: Path, settings: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Save arrays and JSON-able settings, atomically."""
    buffer = io.BytesIO()
    entries: dict[str, Any] = {"settings": np.array(json.dumps(dict(settings))), **arrays}
    np.savez(buffer, **entries)
    write_atomically(path, buffer.getvalue())


def load_checkpoint(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return (settings, arrays) of a checkpoint.

    Raises
    ------
    CheckpointError
        If there is no file, or it is no checkpoint.
    """
    try:
        loaded = np.load(path, allow_pickle=False)
        if not isinstance(loaded, NpzFile):
            raise ValueError("one array alone")
        with loaded as file:
            arrays = {name: file[name] for name in file.files}
        settings = json.loads(str(arrays.pop("settings")))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"expected a checkpoint, got {str(path)!r}: {error}") from None
    return settings, arrays
