"""The dump of a queue manager elsewhere, from dmpmqcfg or from a file (targets §3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from mqsc.console.terminal import printable
from mqsc.imports.definition_events import Heading, heading_of
from mqsc.imports.source_text import LocalTimes
from mqsc.targets.calls import LIMIT_SECONDS
from mqsc.targets.programs import read
from mqsc.targets.target import Target, TargetError

_LEVEL = re.compile(r"^\* Queue manager command level: *\((\d+)", re.MULTILINE)
_PLATFORM = re.compile(r"^\* Queue manager platform: *(\S+)", re.MULTILINE)
# What dmpmqcfg writes first and last.
_BEGIN, _END = "* Script", "* Script ended"


class Dump(Struct, frozen=True):
    """The whole output of dmpmqcfg, and the facts in its heading; without `is_dump`, a file of
    definitions from another source.
    """

    content: bytes
    lines: Sequence[str]
    heading: Heading
    is_dump: bool
    level: int = 0
    platform: str = ""


def dump_of(
    target: Target,
    from_file: Path | None = None,
    limit_seconds: float = LIMIT_SECONDS,
) -> Dump:
    """The dump of a target, from dmpmqcfg or from a file; TargetError if it is none, or not
    whole.
    """
    if from_file is None:
        content = read(target, "definitions", limit_seconds=limit_seconds).out
    else:
        try:
            content = from_file.read_bytes()
        except OSError as error:
            raise TargetError(f"{from_file}: {error.strerror}") from error
    text = content.decode("utf-8", "surrogateescape")
    lines = [line.rstrip("\r") for line in text.split("\n")]
    # Other files may have definitions from another source.
    is_whole = any(line.startswith(_END) for line in reversed(lines))
    is_dump = from_file is None or is_whole or text.lstrip().startswith(_BEGIN)
    if is_dump and not is_whole:
        raise TargetError(
            f"{target.name}: the dump was cut, or is none: its last lines ({_END}) are missing",
        )
    heading = heading_of(lines, LocalTimes())
    level, platform = _LEVEL.search(text), _PLATFORM.search(text)
    if target.queue_manager and heading.qmgr not in ("", target.queue_manager):
        raise TargetError(
            f"{target.name}: the dump is of {printable(heading.qmgr)}, not of "
            f"{target.queue_manager}",
        )
    return Dump(
        content,
        lines,
        heading,
        is_dump,
        int(level[1]) if level else 0,
        platform[1] if platform else "",
    )
