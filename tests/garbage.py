"""Collections of garbage that are fast because they leave out what was there before."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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
