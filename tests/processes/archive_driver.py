"""Archives and prunes a store, and kills itself, or the process that writes, at a step of the protocol.

Arguments: the store's URL, the archive, events per range, microseconds to keep, the step, and at its which occurrence;
with `worker` at the end the worker is killed. Without a step it runs to its end.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from pathlib import Path

from mqsc.agents.archiver import Archiver
from store.client.api import open_store


def main(store: str, url: str, most: str, keep: str, step: str = "", occurrence: str = "1", whom: str = "") -> None:
    """Archive and prune."""
    seen: Counter[str] = Counter()

    def kill(name: str) -> None:
        seen[name] += 1
        if name == step and seen[name] == int(occurrence):
            os.kill(worker() if whom else os.getpid(), signal.SIGKILL)

    with open_store(store, create=False) as opened, Archiver(opened, url, kill, most=int(most)) as archiver:
        for each in archiver.archive():
            print(each.first, each.last)
        print("pruned", archiver.prune(int(keep)).events)


def worker() -> int:
    """The number of the only child of this process."""
    return int(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()[0])


if __name__ == "__main__":
    main(*sys.argv[1:])
