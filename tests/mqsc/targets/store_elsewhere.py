"""A queue manager elsewhere: our own programs under IBM's names on another store, perhaps with faults
that a program in front of them has.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import mqsc
from mqsc.script import run
from mqsc.store.client.queue_manager import QueueManager
from tests.mqsc.command_server import command_server
from tests.mqsc.export.test_round_trip import state

NAME = "PROD"

# What stands in front of a program. `words` is how to call that with its arguments, `given` what
# is on standard input; `commands` are its commands.
_FRONT = """\
#!{python} -IS
import os, re, signal, subprocess, sys
words = [{mqsc!r}, {program!r}, *sys.argv[1:]]
environment = {{**os.environ, "MQSC_STORE": {store!r}}}
given = sys.stdin.buffer.read() if {reads} else b""
commands = re.split(rb"(?<=[^+-])\\n", given.strip())
def called(text=given):
    return subprocess.run(words, input=text, capture_output=True, env=environment)
def passed(text=given):
    ended = called(text)
    sys.stdout.buffer.write(ended.stdout)
    sys.stdout.flush()
    return ended.returncode
# What only reads has no faults.
if commands != [b""] and all(command.startswith(b"DISPLAY ") for command in commands):
    sys.exit(passed())
{body}
"""
PASS = ""
_THROUGH = """\
#!/bin/sh
MQSC_STORE='{store}' exec '{mqsc}' {program} "$@"
"""
# After so many commands, the program that has called this one is killed.
KILL_AFTER = """\
passed(b"\\n".join(commands[:{count}]) + b"\\n")
os.kill(os.getppid(), signal.SIGKILL)
"""
# The program itself ends after so many commands.
END_AFTER = """\
passed(b"\\n".join(commands[:{count}]) + b"\\n")
os.kill(os.getpid(), signal.SIGKILL)
"""
# Somebody changes the queue manager first.
FIRST = """\
subprocess.run([*words[:2], {name!r}], input={text!r}.encode(), env=environment, capture_output=True)
sys.exit(passed())
"""
# Somebody puts a message on a queue first.
PUT_FIRST = """\
subprocess.run([words[0], "put", {queue!r}, "kept"], env=environment, capture_output=True)
sys.exit(passed())
"""
# The replies are in another language: only their numbers are the same.
FOREIGN = r"""
ended = called()
text = "処理されました".encode()
sys.stdout.buffer.write(re.sub(rb"(?m)^(AMQ\d{4})[A-Z]?: .*", rb"\1: " + text, ended.stdout))
sys.exit(ended.returncode)
"""
# Everything is said to be done, and nothing is.
LIE = """\
for number, command in enumerate(commands, 1):
    print(f"{number:>6} : {command.decode().splitlines()[0]}")
    print("AMQ8008I: IBM MQ queue changed.")
"""
# All is done, and no reply comes back: what carries the program has failed.
WITHOUT_REPLIES = """\
called()
sys.stderr.write("client_loop: send disconnect: Broken pipe")
sys.exit({code})
"""
PRINT = """\
sys.stdout.buffer.write({text!r})
sys.exit({code})
"""
KEEP = """\
open({file!r}, "ab").write(given)
sys.exit(passed())
"""


class StoreElsewhere:
    """The store of the far end, its programs in a folder, and the declaration of the target `prod`."""

    def __init__(self, folder: Path, definitions: str = "") -> None:
        self.folder = folder
        self.url = f"sqlite:///{folder}/far.db"
        with mqsc.open_store(self.url, create=True) as store:
            run(store.create_queue_manager(NAME), definitions)
        self.behave("runmqsc", PASS)
        self.behave("dmpmqcfg", PASS)
        programs = ", ".join(f'{each} = "{folder}/{each}"' for each in ("runmqsc", "dmpmqcfg"))
        (folder / "targets.toml").write_text(
            dedent(f"""\
            [target.prod]
            queue_manager = "{NAME}"
            programs = {{ {programs} }}
            """),
        )

    def behave(self, program: str, body: str) -> None:
        """Let the program behave so from now on."""
        path = self.folder / program
        reads = program == "runmqsc"
        front = _FRONT if body else _THROUGH
        path.write_text(
            front.format(
                python=sys.executable,
                mqsc=mqsc_program(),
                program=program,
                store=self.url,
                reads=reads,
                body=body,
            ),
        )
        path.chmod(0o755)

    def state(self) -> list[tuple[str, object]]:
        """The definitions there."""
        with mqsc.open_store(self.url) as store:
            return state(store.queue_manager(NAME))

    def run(self, commands: str) -> None:
        """Change something there."""
        with mqsc.open_store(self.url) as store:
            run(store.queue_manager(NAME), commands, check=True)

    def manager(self, store: mqsc.Store) -> QueueManager:
        """The queue manager there."""
        return store.queue_manager(NAME)

    def undo(self) -> Path:
        """The only undo script in the folder."""
        (found,) = self.folder.glob("undo-prod-*.mqsc")
        return found


def mqsc_program() -> str:
    """The program mqsc; Python and the product are imported once for all its processes."""
    return str(command_server().programs / "mqsc")


def mqsc_process(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run mqsc as a process of its own, which may be killed."""
    return subprocess.run(
        [mqsc_program(), *arguments],
        cwd=folder,
        capture_output=True,
        check=False,
    )
