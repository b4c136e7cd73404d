"""A target: a queue manager of IBM MQ elsewhere, and the words that call one of IBM's programs for
it (targets §2).
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from posixpath import basename

from msgspec import Struct

from mqsc.console.target import NothingRunError

# The most messages of a queue that are read, unless --most says another number.
MOST_MESSAGES = 1000
# The options of ssh that take the next word as their value.
_SSH_WITH_VALUE = frozenset("BbcDEeFIiJLlmOoPpQRSWw")


class TargetError(NothingRunError):
    """Nothing was read or sent; the sentence names the target and says why: exit code 20."""


class Target(Struct, frozen=True):
    """A queue manager elsewhere.

    `via` are the words before each of IBM's programs; `programs` has the paths of those that have
    another one, `arguments` what to add for each. `definitions` are files and folders that it
    should match, `credentials` is the file with the password of the user after -u. `rest` is the
    URL of mqweb, in place of `via`: then `credentials` has the user and the password, and `cacert`
    is a file with the certificates to trust, blank for those that this host trusts. `declared_in`
    is the file that declares it.
    """

    name: str
    queue_manager: str
    via: tuple[str, ...] = ()
    rest: str = ""
    programs: Mapping[str, str] = {}
    arguments: Mapping[str, tuple[str, ...]] = {}
    definitions: tuple[str, ...] = ()
    credentials: str = ""
    declared_in: str = ""
    cacert: str = ""

    def words(self, program: str, arguments: Sequence[str]) -> list[str]:
        """The words that call the program with these arguments, after those that are always
        added.
        """
        command = [
            self.programs.get(program, program),
            *self.arguments.get(program, ()),
            *arguments,
        ]
        return through(self.via, command)

    def where(self) -> str:
        """What reaches the target, for sentences and tables."""
        return self.rest or shlex.join(self.via) or "this host"


def through(via: Sequence[str], command: Sequence[str]) -> list[str]:
    """The words of a command behind those of `via`.

    What follows the host of ssh is joined by ssh and read by a shell there, so each of these words
    is quoted for it; twice if a second ssh is among them.
    """
    ssh = next((at for at, word in enumerate(via) if basename(word) == "ssh"), None)
    if ssh is None:
        return [*via, *command]
    behind_host = _host_of_ssh(via, ssh + 1) + 1
    remote = through(via[behind_host:], command)
    return [*via[:behind_host], *map(shlex.quote, remote)]


def _host_of_ssh(words: Sequence[str], begin: int) -> int:
    """Where the host is, behind the options of ssh and their values."""
    at = begin
    while at < len(words) and words[at].startswith("-"):
        # -p 22 takes the next word, -p22 and -v do not.
        takes_next = words[at][-1] in _SSH_WITH_VALUE and len(words[at].lstrip("-")) == 1
        at += 2 if takes_next else 1
    return at
