"""An archive of Spark's classes, with which Java starts faster."""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from platformdirs import user_cache_path

from mqsc.reports.java_runtime import version_of

SUFFIX = ".jsa"
UNFINISHED = ".unfinished"
LOCK = "spark.lock"
# An archive has some 170 MB; do not fill the disk with it. Those of earlier installations are
# removed.
LEAST_FREE, MOST = 1_000_000_000, 2
# The environment variable that keeps sessions from making one.
SWITCH, OFF = "MQSC_CLASS_ARCHIVE", "off"


def folders() -> tuple[Path, ...]:
    """Where an archive may be: in the Python environment, and for those who cannot write there,
    in their cache.
    """
    return Path(sys.prefix) / "share" / "mqsc", user_cache_path("mqsc")


def class_archive(home: Path) -> Path | None:
    """The archive for this Spark and the Java in `home`; None if there is none that can be used."""
    archives = (path for folder in folders() for path in _named(folder, stem_of(home)))
    return next(filter(_is_complete, archives), None)


def stem_of(home: Path) -> str:
    """The beginning of the name of an archive. It changes when Spark or Java is installed again."""
    import pyspark

    jars, modules = Path(pyspark.__file__).parent / "jars", home / "lib" / "modules"
    times = [int(path.stat().st_mtime) for path in (jars, modules) if path.exists()]
    installation = zlib.crc32(f"{home} {jars} {times}".encode())
    return f"spark-{pyspark.__version__}-java-{version_of(home)}-{installation:08x}"


def is_switched_off() -> bool:
    """Whether the user wants no archive to be made."""
    return os.environ.get(SWITCH) == OFF


@contextmanager
def new_archive(home: Path) -> Iterator[Path | None]:
    """A file for Java to write the archive to; it is in use when the block ends without an error.

    None if there is an archive, another program is making one, no folder can take it, or the user
    wants none.
    """
    if is_switched_off() or class_archive(home) is not None:
        yield None
        return
    for folder in folders():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(folder).free < LEAST_FREE:
                continue
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            break
    else:
        yield None
        return
    try:
        yield from _locked(folder, lock, stem_of(home))
    finally:
        os.close(lock)


def _locked(folder: Path, lock: int, stem: str) -> Iterator[Path | None]:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        yield None
        return
    # The Java of a killed program may still be writing its file.
    unfinished = folder / f"{stem}.{os.getpid()}{UNFINISHED}"
    _remove(folder.glob(f"*{UNFINISHED}"))
    try:
        yield unfinished
        with suppress(OSError):
            os.replace(unfinished, folder / f"{stem}-{unfinished.stat().st_size}{SUFFIX}")
            _remove(sorted(folder.glob(f"*{SUFFIX}"), key=os.path.getmtime)[:-MOST])
    finally:
        _remove([unfinished])


def _named(folder: Path, stem: str) -> list[Path]:
    with suppress(OSError):
        return sorted(folder.glob(f"{stem}-*{SUFFIX}"))
    return []


def _is_complete(path: Path) -> bool:
    try:
        status = path.stat()
    except OSError:
        return False
    # Never load another user's archive: Java would run its classes.
    return path.stem.rpartition("-")[2] == str(status.st_size) and status.st_uid in (
        0,
        os.geteuid(),
    )


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        with suppress(OSError):
            path.unlink()
