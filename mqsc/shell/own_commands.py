"""The commands that the shell has beside MQSC, as rows. Loaded before the first prompt, so it imports nothing heavy."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class OwnCommand(Struct, frozen=True):
    """A command of the shell.

    `takes` is its syntax after the name, `about` its help. A command of the command line has that as `path`;
    `subcommands` are the ones of a group that make sense inside a shell. The output of a command that only `reads` is
    paged: leaving the pager ends the command.
    """

    name: str
    takes: str
    about: str
    path: tuple[str, ...] = ()
    subcommands: tuple[str, ...] = ()
    reads: bool = False


def _of_command_line(
    name: str, takes: str, about: str, *subcommands: str, path: tuple[str, ...] = (), reads: bool = True
) -> OwnCommand:
    return OwnCommand(name, takes, about, path or (name,), subcommands, reads)


ROWS = (
    OwnCommand("help", "[VERB [OBJECT] | WORD | CODE | COMMAND]", "Help; ? is about the last command.", reads=True),
    _of_command_line("explain", "WORD... | trigger(QUEUE) [if('put')]", "Explain codes, words, rules, or triggering."),
    OwnCommand("use", "[QMGR]", "Work with another queue manager of the store, or list them."),
    _of_command_line("source", "FILE...", "Run the MQSC in files, without questions.", path=("run",), reads=False),
    OwnCommand("watch", "[SECONDS] COMMAND", "Repeat a command until Ctrl-C and mark what changed."),
    OwnCommand("put", "QUEUE TEXT... [OPTIONS]", "Put each text as a message."),
    OwnCommand("get", "QUEUE [OPTIONS]", "Get messages and print them."),
    OwnCommand("commit", "", "Commit the unit of work."),
    OwnCommand("back", "", "Back out the unit of work."),
    _of_command_line("browse", "QUEUE [OPTIONS]", "Show messages without removing them."),
    _of_command_line("history", "[QUEUE] [OPTIONS]", "Show events of queues, messages and units of work."),
    _of_command_line("trace", "MSGID", "Show the life of a message."),
    _of_command_line("expiry", "QUEUE", "Show expired messages."),
    _of_command_line("poison", "[QUEUE]", "Show messages that were backed out."),
    _of_command_line("trigger", "explain QUEUE", "Say why a queue does or does not trigger.", "explain"),
    _of_command_line(
        "dlq", "show | test | check | retry | forward | discard", "Work with dead-letter queues.",
        "show", "test", "check", "retry", "forward", "discard", reads=False,
    ),
    _of_command_line("channel", "explain | map | fault", "Explain channels.", "explain", "map", "fault",
                     reads=False),
    _of_command_line("plan", "FILE...", "Show what MQSC files would change.", path=("run", "--plan")),
    _of_command_line("apply", "FILE...", "Make the definitions match files, after a question.", reads=False),
    _of_command_line("pcf", "QUEUE", "Show PCF messages in readable form."),
    _of_command_line("check", "FILE...", "Check MQSC files."),
    _of_command_line("diff", "FILE...", "Compare the definitions with those in files."),
    _of_command_line("export", "[OPTIONS]", "Show the definitions as MQSC, JSON or YAML."),
    _of_command_line("qmgr", "list | create | start | end", "Manage queue managers.", "list", "create", "start", "end",
                     reads=False),
    _of_command_line("clock", "show | advance | set", "Show or move a manual clock.", "show", "advance", "set",
                     reads=False),
    _of_command_line("report", "NAME... --out DIR", "Make reports with Spark.", reads=False),
    _of_command_line("doctor", "", "Check the store.", reads=False),
    OwnCommand("end", "", "Leave the shell; so do exit, quit and Ctrl-D."),
)  # fmt: skip
OWN_COMMANDS: Mapping[str, OwnCommand] = {row.name: row for row in ROWS}

# Settings are typed after a backslash: alone for the session, after a command for that command.
FORMATS = ("table", "vertical", "classic", "json", "csv")
SETTINGS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "format": (FORMATS, "How DISPLAY is shown; classic is runmqsc's layout."),
    "sort": ((), "Sort tables by this attribute; -ATTRIBUTE for descending order, nothing for none."),
    "timing": (("on", "off"), "Show how long each command took."),
    "pager": (("on", "off"), "Show output longer than the screen with $PAGER or less."),
    "keys": (("emacs", "vi"), "The keys for editing."),
}


class OwnCommandError(Exception):
    """A command of the shell failed; the text says why, a line for each sentence."""


def first_word(text: str) -> str:
    """The first word of a command in lower case."""
    words = text.split(maxsplit=1)
    return words[0].lower() if words else ""


def is_own_command(text: str) -> bool:
    """Whether the text is for the shell itself: a command of its own, a setting, or a question."""
    word = first_word(text)
    return word.startswith(("\\", "?")) or (word in OWN_COMMANDS and word != "end")
