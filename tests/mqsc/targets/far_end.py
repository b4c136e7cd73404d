"""A queue manager elsewhere: programs under IBM's names, on a store of their own or as they were
written.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from mqsc.targets.target import Target
from tests.mqsc.command_server import command_server

PROGRAMS = ("dmpmqcfg", "runmqsc", "dmpmqmsg")
# Our own program has dmpmqmsg under another name, and no range of messages.
_DMPMQMSG = """
echo "dmpmqmsg $*" >> {log}
most=${{8#*..}}
exec {mqsc} export -m "$2" --messages "$4" | awk -v most="$most" '/^A /&&!inside{{inside=1;n++}} \
!/^A /{{inside=0}} n<=most'
"""


class FarEnd:
    """A folder with dmpmqcfg, runmqsc and dmpmqmsg, which write each call to a log."""

    def __init__(self, folder: Path, queue_manager: str = "QM1") -> None:
        self.folder = folder
        self.queue_manager = queue_manager
        self.store = folder / "far.db"
        self.log = folder / "calls"
        folder.mkdir(parents=True)

    def on_a_store(self) -> FarEnd:
        """Make the programs those of this product, on the store of the folder."""
        mqsc = shlex.quote(str(command_server().programs / "mqsc"))
        log = shlex.quote(str(self.log))
        for name in ("dmpmqcfg", "runmqsc"):
            self.script(name, f'echo "{name} $*" >> {log}\nexec {mqsc} {name} "$@"')
        self.script("dmpmqmsg", _DMPMQMSG.format(mqsc=mqsc, log=log))
        return self

    def script(self, name: str, text: str) -> Path:
        """Make a program of a shell script, which has the store in MQSC_STORE."""
        program = self.folder / name
        store = shlex.quote(f"sqlite:///{self.store}")
        program.write_text(f"#!/bin/sh\nexport MQSC_STORE={store}\n{text}\n", "utf-8")
        program.chmod(0o700)
        return program

    def writes(self, name: str, out: bytes, *, code: int = 0, err: str = "") -> None:
        """Make a program that writes this, whatever it is asked, and exits with the code."""
        file = self.folder / f"{name}.out"
        file.write_bytes(out)
        self.script(
            name,
            f"cat > /dev/null\ncat {shlex.quote(str(file))}\n"
            f"printf %s {shlex.quote(err)} >&2\nexit {code}",
        )

    @property
    def calls(self) -> list[str]:
        """The programs that were called, with their arguments."""
        return self.log.read_text("utf-8").splitlines() if self.log.exists() else []

    @property
    def target(self) -> Target:
        """The target whose programs are those of the folder."""
        programs = {name: str(self.folder / name) for name in PROGRAMS}
        return Target("far", self.queue_manager, programs=programs)

    def declare(self, file: Path, *more: str) -> None:
        """Declare the target `far` in a file, with more lines."""
        programs = ", ".join(f'{name} = "{self.folder / name}"' for name in PROGRAMS)
        lines = (
            "[target.far]",
            f'queue_manager = "{self.queue_manager}"',
            f"programs = {{ {programs} }}",
            *more,
        )
        file.write_text("\n".join(lines) + "\n", "utf-8")
