"""Imports of logs and event messages, and the events that they leave in the history."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.mqsc.conftest import Command, Ended

CORPUS = Path(os.environ.get("MQSC_CORPUS", "/none")) / "other"
needs_corpus = pytest.mark.skipif(
    not CORPUS.exists(),
    reason="MQSC_CORPUS names no folder of files",
)


def corpus(part: str) -> str:
    """The path of the file of the corpus whose name has that part."""
    (found,) = (each for each in CORPUS.iterdir() if part in each.name)
    return str(found)


def events(mqsc: Command, *options: str) -> list[dict[str, Any]]:
    """The events of the history, in its order."""
    return mqsc("history", "--format", "jsonl", *options).rows


def short(found: list[dict[str, Any]]) -> list[str]:
    """Events as KIND, cause, queue and target, as far as they have one."""
    names = ("kind", "cause", "queue", "target")
    return [" ".join(str(each[name]) for name in names if each[name]) for each in found]


def imported(
    mqsc: Command,
    content: str | bytes,
    *options: str,
    name: str = "AMQERR01.LOG",
) -> Ended:
    """The end of the import of a file with that content."""
    data = content.encode() if isinstance(content, str) else content
    Path(name).write_bytes(data)
    return mqsc("import", name, *options)
