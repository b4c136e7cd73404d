"""The output of a run at a fixed time, so that it can be compared with a stored page."""

from __future__ import annotations

import io

from mqsc.script import Answered, Script
from mqsc.scripts.reply_output import TextWriter
from mqsc.store import Environment
from mqsc.store.environment import FrozenClock

# 2023-11-14T22:13:20Z
MOMENT = 1_700_000_000_000_000


def at_a_known_moment() -> Environment[FrozenClock]:
    """Return an environment with a frozen clock at MOMENT."""
    return Environment.frozen(at=MOMENT)


def printed(script: Script, text: str, file: str | None = None) -> str:
    """Return what a run of `text` prints, without the banner and trailing blanks."""
    out = io.StringIO()
    writer = TextWriter(out)
    for step in script.steps((text,), file):
        if isinstance(step, Answered):
            writer.answer(step)
        else:
            writer.echo(step)
    writer.end(script.tally)
    return "\n".join(line.rstrip() for line in out.getvalue().split("\n"))
