"""The journal of a worker that will be killed, outside the store: units of work intended, and those acknowledged."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

# A queue and a token. The data of every message begins with a unique token.
Place = tuple[str, str]


@dataclass
class Unit:
    """A unit of work in the journal: tokens put and got by queue, and whether the final call returned."""

    puts: list[Place] = field(default_factory=list)
    gets: list[Place] = field(default_factory=list)
    acknowledged: bool = False


class Journal:
    """Writes each line with one write(), so that it survives the process being killed."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)

    def intend(self, unit: Unit) -> None:
        """Record that the call that makes `unit` final is about to be made."""
        said = [f"P{queue}={token}" for queue, token in unit.puts] + [f"G{queue}={token}" for queue, token in unit.gets]
        self._write("I " + " ".join(said))

    def acknowledge(self) -> None:
        """Record that this call has returned."""
        self._write("A")

    def _write(self, line: str) -> None:
        os.write(self._file, (line + "\n").encode())


def read_journal(path: Path) -> list[Unit]:
    """Read the units of one worker. An incomplete last line is ignored: its call was not made."""
    units: list[Unit] = []
    for line in path.read_text().split("\n")[:-1]:
        if line == "A":
            units[-1].acknowledged = True
            continue
        unit = Unit()
        for word in line[2:].split():
            queue, token = word[1:].split("=")
            (unit.puts if word[0] == "P" else unit.gets).append((queue, token))
        units.append(unit)
    return units
