"""Collections of garbage that are fast because they leave out what was there before."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache


@contextmanager
def only_new_garbage() -> Iterator[None]:
    """Let collections inside the block leave out older objects; afterwards those that are left
    stay left out.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.collect()
        gc.freeze()


@cache
def leave_out_what_was_imported() -> None:
    """Once in a process, let later collections leave out what is there now, most of it modules.

    A history in which programs end without a word collects after each, which would take longer than
    the steps between.
    """
    gc.collect()
    gc.freeze()
