"""What runmqsc shows of a queue manager elsewhere: its level, and the states of its objects (targets
§3).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from mqsc.console.terminal import printable
from mqsc.imports.display_output import shown_by
from mqsc.targets.calls import LIMIT_SECONDS
from mqsc.targets.programs import read
from mqsc.targets.target import Target, TargetError

_LONGEST_MESSAGE = 300


class Facts(NamedTuple):
    """What runmqsc shows of a queue manager elsewhere: its level, version and platform (0 and
    blank if it does not say so), its dead-letter queue, the depth of each local queue, the number
    of its handles for input and output, and the status of each channel that has one.
    """

    level: int = 0
    version: str = ""
    platform: str = ""
    dead_letter_queue: str = ""
    depths: Mapping[str, int] = {}
    handles: Mapping[str, tuple[int, int]] = {}
    channels: Mapping[str, str] = {}


def facts_of(target: Target, limit_seconds: float = LIMIT_SECONDS) -> Facts:
    """What runmqsc shows of a target; TargetError if it cannot be called."""
    output = read(target, "state", limit_seconds=limit_seconds)
    queues = dict[str, Mapping[str, str]]()
    channels = dict[str, str]()
    manager: Mapping[str, str] = {}
    text = output.out.decode("utf-8", "replace")
    for shown in shown_by(iter(text.splitlines())):
        word = next(iter(shown.values), "")
        if word == "QMNAME":
            manager = shown.values
        elif word == "QUEUE":
            queues[shown.name] = shown.values
        elif "STATUS" in shown.values:
            channels[shown.name] = shown.values["STATUS"]
    if not manager:
        program = "mqweb" if target.rest else "runmqsc"
        raise TargetError(
            f"{target.name}: {program} shows nothing of {target.queue_manager}{_refusal(text)}",
        )
    if manager["QMNAME"] != target.queue_manager:
        raise TargetError(
            f"{target.name}: runmqsc is at {printable(manager['QMNAME'])}, not at "
            f"{target.queue_manager}",
        )
    return Facts(
        _number(manager.get("CMDLEVEL", "")),
        manager.get("VERSION", ""),
        manager.get("PLATFORM", ""),
        manager.get("DEADQ", ""),
        {name: _number(values.get("CURDEPTH", "")) for name, values in queues.items()},
        {
            name: (_number(values.get("IPPROCS", "")), _number(values.get("OPPROCS", "")))
            for name, values in queues.items()
        },
        channels,
    )


_MESSAGE = re.compile(r"^(AMQ\d{4}[A-Z]?: .*|.*\bCSQ\w+ .*)$", re.MULTILINE)


def _refusal(text: str) -> str:
    found = _MESSAGE.search(text)
    return f": {printable(found[1])[:_LONGEST_MESSAGE]}" if found else ""


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0
