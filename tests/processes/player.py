"""Programs in a process of their own that play the lines of a scenario as they are told: `python -m … URL [PATIENCE]`.

A line on standard input is played, and a line on standard output says how that went: `done`, or what came otherwise.
PATIENCE is how many seconds a call waits for other programs.
"""

from __future__ import annotations

import sys

from store.client.open_store import open_store
from store.error import MQError, StoreError
from tests.scenarios.play import Play


def main() -> None:
    """The command line."""
    store = open_store(sys.argv[1])
    if sys.argv[2:]:
        store.database.busy_timeout = float(sys.argv[2])
    play = Play(store.queue_manager("QM1"))
    print("ready", flush=True)
    for line in sys.stdin:
        print(outcome(play, line), flush=True)


def outcome(play: Play, line: str) -> str:
    """`done`, or in one line what came of it instead."""
    try:
        play.run(line)
    except (AssertionError, StoreError, MQError) as otherwise:
        return " ".join(f"{type(otherwise).__name__}: {otherwise}".split())
    return "done"


if __name__ == "__main__":
    main()
