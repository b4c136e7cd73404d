"""Runs scenario lines in another process: `python -m … URL [PATIENCE]`.

For each line read from standard input it prints a line: `done`, or the failure. PATIENCE is the number of seconds that
a call waits for the store while another program holds it.
"""

from __future__ import annotations

import sys

from store.client.api import open_store
from store.error import MQError, StoreError
from tests.scenarios.play import Play


def main() -> None:
    store = open_store(sys.argv[1])
    if sys.argv[2:]:
        store.database.busy_timeout = float(sys.argv[2])
    play = Play(store.queue_manager("QM1"))
    print("ready", flush=True)
    for line in sys.stdin:
        print(outcome(play, line), flush=True)


def outcome(play: Play, line: str) -> str:
    """Run a scenario line; return `done`, or the failure as one line."""
    try:
        play.run(line)
    except (AssertionError, StoreError, MQError) as otherwise:
        return " ".join(f"{type(otherwise).__name__}: {otherwise}".split())
    return "done"


if __name__ == "__main__":
    main()
