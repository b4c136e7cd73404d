"""Publication of a run in a folder."""

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from mqsc.reports.archive.place import sync
from mqsc.reports.errors import ReportError, ReportFailedError, reason_of
from mqsc.reports.output import PARQUET_SUFFIX, Result, rows_in

CURRENT = ".current"
RUN = ".run-"
MANIFEST = "manifest.json"
# The version of the manifest's layout.
FORMAT = 1
# Reports of an earlier run stay if they agree with the new one in these.
SAME = ("store", "archives", "as", "selection")

Manifest = Mapping[str, Any]


@contextmanager
def run_folder(out: Path, entries: Iterable[str]) -> Iterator[Path]:
    """A new folder in `out`, which is removed at the end of the block unless it has been published.

    Folders of killed runs are removed first. `entries` are the names in `out` that are to be
    published: ReportError if one of them exists and was not published by a run, or if `out` cannot
    be written.
    """
    with ExitStack() as held:
        try:
            with _locked(out):
                _refuse_other_files(out, entries)
                _remove_unfinished(out)
                folder = _new_folder(out)
                held.enter_context(_locked(folder))
        except OSError as error:
            raise ReportError(
                f"the folder {out} for the reports cannot be written: {reason_of(error)}",
            ) from error
        try:
            yield folder
        finally:
            with suppress(OSError), _locked(out):
                if _published(out) != folder:
                    shutil.rmtree(folder, ignore_errors=True)


def publish(folder: Path, results: Sequence[Result], about: Manifest) -> list[Result]:
    """Publish the folder of a run; return the results with the published paths.

    `about` is the beginning of its manifest. Reports that an earlier run published and this one did
    not make stay, if they are from the same store and have the same format and selection.
    ReportFailedError, and nothing has changed, if it cannot be published.
    """
    out = folder.parent
    try:
        manifest = {"format": FORMAT, **about, "files": _files(folder, results)}
        with _locked(out):
            earlier = [_kept(run, manifest, folder) for run in _runs(_published(out))]
            manifest["earlier"] = [each for each in earlier if each["files"]]
            text = json.dumps(manifest, indent=2, ensure_ascii=False)
            (folder / MANIFEST).write_text(f"{text}\n", "utf-8")
            # So that the link never leads to incomplete files after a power failure.
            for path in (*folder.rglob("*"), folder):
                sync(path)
            _switch(out, folder)
    except OSError as error:
        raise ReportFailedError(
            f"the reports cannot be published in {out}: {reason_of(error)}",
        ) from error
    return [result._replace(path=out / result.path.relative_to(folder)) for result in results]


def _refuse_other_files(out: Path, entries: Iterable[str]) -> None:
    for path in (out / entry for entry in (*entries, MANIFEST)):
        if os.path.lexists(path) and not _is_link_to_current(path):
            raise ReportError(
                f"{path} is in the way: no run published it; move it away, or name another folder",
            )


def _is_link_to_current(path: Path) -> bool:
    return path.is_symlink() and path.readlink().parts[:1] == (CURRENT,)


def _published(out: Path) -> Path | None:
    """The folder of the run that is published."""
    with suppress(OSError):
        return out / (out / CURRENT).readlink()
    return None


def _new_folder(out: Path) -> Path:
    # Not tempfile.mkdtemp, which lets nobody else read the reports.
    for number in count():
        folder = out / f"{RUN}{os.getpid()}-{number}"
        with suppress(FileExistsError):
            folder.mkdir()
            return folder
    raise AssertionError


def _remove_unfinished(out: Path) -> None:
    """Remove the folders of all runs but the published one, and of those that are running."""
    published = _published(out)
    for folder in out.glob(f"{RUN}*"):
        if folder == published:
            continue
        with _locked(folder, fcntl.LOCK_EX | fcntl.LOCK_NB) as is_held:
            # A complete one was published before; on a network file system the lock may not tell.
            if is_held or (folder / MANIFEST).exists():
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _locked(folder: Path, operation: int = fcntl.LOCK_EX) -> Iterator[bool]:
    """Hold the lock on a folder; False if another has it, or the file system has no locks.

    On that of the output folder, a run waits to publish, or to remove folders of other runs; it
    holds that of its own.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    is_held = False
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, operation)
            is_held = True
        yield is_held
    finally:
        os.close(descriptor)


def _files(folder: Path, results: Sequence[Result]) -> list[dict[str, Any]]:
    """Every file of the run, with the rows of the tables in it."""
    return [
        {
            "path": str(path.relative_to(folder)),
            "rows": _rows(path, results),
            "bytes": path.stat().st_size,
            "sha256": _sha256(path),
        }
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]


def _rows(path: Path, results: Sequence[Result]) -> int | None:
    """The rows of the tables in a file; None for a file without a table, and for a part of a CSV
    file.
    """
    rows = [result.rows_written for result in results if result.path == path]
    if rows:
        return sum(rows)
    return rows_in(path) if path.suffix == PARQUET_SUFFIX else None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _runs(published: Path | None) -> list[Manifest]:
    """The manifests of the published run and of the earlier ones with files that are still
    there.
    """
    if published is None:
        return []
    try:
        manifest = json.loads((published / MANIFEST).read_text("utf-8"))
        return [manifest, *manifest["earlier"]] if manifest["format"] == FORMAT else []
    except (OSError, ValueError, LookupError, TypeError):
        return []


def _kept(earlier: Manifest, manifest: Manifest, folder: Path) -> Manifest:
    """The earlier manifest with those files that stay, which get links in `folder` too."""
    stays = all(earlier.get(name) == manifest[name] for name in SAME)
    entries = {_entry(file) for file in manifest["files"]}
    files = [file for file in earlier["files"] if stays and _entry(file) not in entries]
    published = _published(folder.parent)
    for file in files:
        assert published is not None
        target = folder / file["path"]
        target.parent.mkdir(parents=True, exist_ok=True)
        link(published / file["path"], target)
    return {**{name: value for name, value in earlier.items() if name != "earlier"}, "files": files}


def _entry(file: Manifest) -> str:
    """The name in the output folder that leads to the file."""
    return str(Path(file["path"]).parts[0])


def link(source: Path, target: Path) -> None:
    """Give a file a second name."""
    try:
        os.link(source, target)
    except OSError:
        # A file system without hard links.
        shutil.copyfile(source, target)


def _switch(out: Path, folder: Path) -> None:
    """Publish the folder, and remove what the run before it had published."""
    for entry in folder.iterdir():
        with suppress(FileExistsError):
            (out / entry.name).symlink_to(Path(CURRENT, entry.name))
    link = folder / CURRENT
    link.symlink_to(folder.name)
    os.replace(link, out / CURRENT)
    for path in out.iterdir():
        if _is_link_to_current(path) and not path.exists():
            path.unlink()
    _remove_unfinished(out)
