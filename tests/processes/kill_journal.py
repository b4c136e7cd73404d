"""What workers that will be killed intend and what was acknowledged to them: a file of each, outside the store."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

# A message is known by the token that its data begins with.
Place = tuple[str, str]


@dataclass
class Unit:
    """A unit of work as the journal has it: tokens put and got by queue, and whether its end was acknowledged."""

    puts: list[Place] = field(default_factory=list)
    gets: list[Place] = field(default_factory=list)
    acknowledged: bool = False


class Journal:
    """Every line is with the kernel before work goes on."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)

    def intend(self, unit: Unit) -> None:
        """The call that makes `unit` final is about to be made."""
        said = [f"P{queue}={token}" for queue, token in unit.puts] + [f"G{queue}={token}" for queue, token in unit.gets]
        self._write("I " + " ".join(said))

    def acknowledge(self) -> None:
        """The call returned."""
        self._write("A")

    def _write(self, line: str) -> None:
        os.write(self._file, (line + "\n").encode())


def read_journal(path: Path) -> list[Unit]:
    """The units of one worker; a torn last line was not intended yet."""
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
