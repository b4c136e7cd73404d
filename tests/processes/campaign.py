"""Campaigns of kills and of interruptions: their command line, and the exception for a failure."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from pathlib import Path


class Broken(Exception):
    """A guarantee under test was violated."""


def command_line(run: Callable[[Path, int, int], str], what: str, by_default: int) -> None:
    """Run a campaign with the folder, number and seed given as arguments; print its summary line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument(f"--{what}", dest="number", type=int, default=by_default)
    parser.add_argument("--seed", type=int, default=None)
    chosen = parser.parse_args()
    seed = chosen.seed if chosen.seed is not None else random.SystemRandom().randrange(1 << 32)
    try:
        print(run(chosen.folder, chosen.number, seed))
    except Broken as broken:
        print(f"seed {seed}: {broken}")
        sys.exit(1)
    except BaseException:
        print(f"seed {seed}")
        raise
