"""The files beside a change of a queue manager elsewhere: the script that undoes it, and the dump
that was read before (targets §5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from mqsc.console.parameters import iso
from mqsc.console.replaced_file import write_whole
from mqsc.console.terminal import printable
from mqsc.scripts.declarations import UNDO_MARK
from mqsc.scripts.export import DefinitionKey
from mqsc.scripts.leading_script import LeadingScript
from mqsc.store.environment import MICROSECONDS
from mqsc.targets.target import Target

# Definitions may name users and hosts.
_OWNER_ONLY = 0o600


class Moment(Struct, frozen=True):
    """When a change was sent, microseconds UTC, and by which user."""

    at: int
    user: str


class UndoFiles(Struct, frozen=True):
    """Where the undo script and the dump are."""

    script: Path
    dump: Path

    def remove(self) -> None:
        """Remove both: nothing was sent."""
        self.script.unlink(missing_ok=True)
        self.dump.unlink(missing_ok=True)


def write_undo(
    folder: Path,
    target: Target,
    moment: Moment,
    lines: Iterable[str],
    dump: bytes,
) -> UndoFiles:
    """Write both files, and wait for the disk; InputError if that is not possible."""
    sent_at = datetime.fromtimestamp(moment.at // MICROSECONDS, UTC)
    first = name = f"undo-{target.name}-{sent_at:%Y%m%dT%H%M%SZ}"
    number = 1
    while (folder / f"{name}.mqsc").exists():
        number += 1
        name = f"{first}-{number}"
    files = UndoFiles(folder / f"{name}.mqsc", folder / f"{name}.dump")
    try:
        write_whole(files.dump, dump, mode=_OWNER_ONLY)
        rewrite(files, lines)
    except BaseException:
        files.remove()
        raise
    return files


def rewrite(files: UndoFiles, lines: Iterable[str]) -> None:
    """Replace the undo script; a kill leaves the old one."""
    content = "".join(f"{line}\n" for line in lines)
    write_whole(files.script, content.encode("utf-8", "surrogateescape"), mode=_OWNER_ONLY)


def undo_lines(
    target: Target,
    moment: Moment,
    script: LeadingScript,
    lost: Iterable[DefinitionKey],
) -> Iterator[str]:
    """The undo script: what it is, the commands, and the objects whose former secrets are lost."""
    yield f"{UNDO_MARK} of {target.queue_manager} at {iso(moment.at)[:19]}Z"
    yield f"* by {moment.user}. Run it: mqsc run FILE --on {target.name}"
    yield from script.lines()
    for namespace, name, *_ in lost:
        yield f"* A secret of {namespace} {printable(name)} was set, and its former value is not"
        yield "* known: set it by hand."
