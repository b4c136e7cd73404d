"""A thread that looks at Spark while a block runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from mqsc.reports.spark_errors import failures


@contextmanager
def watched_by(watch: Callable[[threading.Event], None]) -> Iterator[None]:
    """Call `watch` in another thread; the event that it is given is set at the end of the block,
    which then waits for it.

    The block itself says if Java has ended.
    """
    over = threading.Event()

    def looking() -> None:
        with suppress(*failures()):
            watch(over)

    watcher = threading.Thread(target=looking, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
