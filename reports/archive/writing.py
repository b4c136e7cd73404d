"""Writing an archive."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec import convert, to_builtins

from mqsc.reports.archive.commit_files import (
    COMMITS,
    Commit,
    encoded,
    last_commit,
    ranges,
    read_commit,
)
from mqsc.reports.archive.place import open_place
from mqsc.reports.child_process import command_of, ending, python_path
from mqsc.reports.errors import ArchiveConflictError, ArchiveError

OnStep = Callable[[str], None]


class Source(NamedTuple):
    """The store to archive, and where: its file, its UUID in archives, its name there, and a
    file to lock.
    """

    path: str
    store: str
    name: str
    lock: str
    url: str


def url_of(url: str) -> str:
    """The URL as it is noted in the store: a folder by its absolute path. ArchiveError when it
    cannot be an archive.
    """
    return open_place(url).url


def head(url: str, store: str) -> Commit | None:
    """The commit with the last events of a store in an archive, or None."""
    return last_commit(open_place(url), store)


def write(
    source: Source,
    first: int,
    last: int,
    *,
    written: bool,
    now: str,
    version: str,
    on_step: OnStep,
) -> Commit:
    """Archive the events `first` to `last`, unless they are `written`, and return the commit.

    Its files have been read back and compared with the store. ArchiveConflictError when another
    writer was faster.
    """
    place = open_place(source.url)
    folder = ranges(place, source.store).get((first, last), COMMITS)
    done = read_commit(place, source.store, first, last, folder) if written else None
    files = to_builtins(done.files) if done else []
    result = _work({**source._asdict(), "first": first, "last": last, "written": files}, on_step)
    if done is not None:
        return done
    before = last_commit(place, source.store)
    about = {
        "store": source.store,
        "name": source.name,
        "from": first,
        "to": last,
        "written_at": now,
    }
    of_chain = {"previous": before.sha256 if before else "", "version": version}
    commit = convert({**result, **about, **of_chain}, Commit)
    if (before.last if before else 0) != first - 1:
        raise ArchiveConflictError(
            f"another program has archived events of this store to {place.url} meanwhile",
        )
    place.write_new(commit.path, encoded(commit))
    return read_commit(place, source.store, first, last, commit.folder)


def _work(request: dict[str, Any], on_step: OnStep) -> Any:
    """Have the worker process do its part, and return its result."""
    del request["name"]
    command = command_of(f"{__package__}.worker")
    environment = {**os.environ, "PYTHONPATH": python_path()}
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    ) as process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(request))
            process.stdin.close()
            for line in process.stdout:
                said = json.loads(line)
                if "error" in said:
                    raise (ArchiveConflictError if said["conflict"] else ArchiveError)(
                        said["error"],
                    )
                if "result" in said:
                    return said["result"]
                on_step(said["step"])
        except BaseException:
            process.kill()
            raise
    raise ArchiveError(
        f"the process that writes the archive ended unexpectedly ({ending(process.returncode)})",
    )
