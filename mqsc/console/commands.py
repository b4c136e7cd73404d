"""The commands of the command line, as help, completion, the manual pages and the site use them.

FUNCTIONS has the function that performs each command, as module:name by the words that call it.
They are names, not functions, because a command imports only its own module: importing all of them
takes twice as long as a whole `mqsc run`.

A row of commands.csv has the command; the line about it; for a command on the first page, its
place there, its task and a few words; the help of a group that only has commands; and examples,
one a line. A test parses each of these.
"""

from collections.abc import Mapping
from typing import NamedTuple

from mqsc.store.table import table

FUNCTIONS: Mapping[str, str] = {
    "run": "mqsc.cli.run:run",
    "apply": "mqsc.cli.apply:apply",
    "foreach": "mqsc.cli.foreach:foreach",
    "qmgr create": "mqsc.cli.qmgr:create",
    "qmgr start": "mqsc.cli.qmgr:start",
    "qmgr end": "mqsc.cli.qmgr:end",
    "qmgr delete": "mqsc.cli.qmgr:delete",
    "qmgr join": "mqsc.cli.qmgr:join",
    "qmgr leave": "mqsc.cli.qmgr:leave",
    "qmgr list": "mqsc.cli.qmgr:list_",
    "user add": "mqsc.cli.auth.users:add",
    "user password": "mqsc.cli.auth.users:change_password",
    "user remove": "mqsc.cli.auth.users:remove",
    "user groups": "mqsc.cli.auth.users:change_groups",
    "user list": "mqsc.cli.auth.users:list_users",
    "auth explain": "mqsc.cli.auth.explain:explain",
    "auth refused": "mqsc.cli.auth.refusals:refused",
    "auth matrix": "mqsc.cli.auth.matrix:matrix",
    "auth learn": "mqsc.cli.auth.recorded_use:learn",
    "auth unused": "mqsc.cli.auth.recorded_use:unused",
    "auth check": "mqsc.cli.auth.check:check",
    "auth status": "mqsc.cli.auth.users:status",
    "auth mode": "mqsc.cli.auth.users:set_mode",
    "auth os-groups": "mqsc.cli.auth.users:os_groups",
    "put": "mqsc.cli.put:put",
    "get": "mqsc.cli.get:get",
    "browse": "mqsc.cli.browse:browse",
    "subscribe": "mqsc.cli.subscribe:subscribe",
    "pcf": "mqsc.cli.pcf:pcf",
    "consume": "mqsc.cli.consume:consume",
    "client": "mqsc.cli.client:client",
    "clock show": "mqsc.cli.clock:show",
    "clock advance": "mqsc.cli.clock:advance",
    "clock set": "mqsc.cli.clock:set_",
    "serve": "mqsc.cli.serve:serve",
    "expiry": "mqsc.cli.expiry:expiry",
    "poison": "mqsc.cli.poison:poison",
    "uses": "mqsc.cli.uses:uses",
    "history": "mqsc.cli.history:history",
    "trace": "mqsc.cli.trace:trace",
    "trigger explain": "mqsc.cli.trigger.explain:explain",
    "trigger run": "mqsc.cli.trigger.run:run",
    "runmqtrm": "mqsc.ibm.agents:runmqtrm",
    "channel run": "mqsc.cli.channel.run:run",
    "channel explain": "mqsc.cli.channel.explain:explain",
    "channel map": "mqsc.cli.channel.map:map_",
    "channel fault": "mqsc.cli.channel.fault:fault",
    "runmqchl": "mqsc.ibm.agents:runmqchl",
    "runmqchi": "mqsc.ibm.agents:runmqchi",
    "topic explain": "mqsc.cli.topic.explain:explain",
    "dlq run": "mqsc.cli.dlq.run:run",
    "dlq check": "mqsc.cli.dlq.check:check",
    "dlq test": "mqsc.cli.dlq.test:test",
    "dlq show": "mqsc.cli.dlq.show:show",
    "dlq retry": "mqsc.cli.dlq.redrive:retry",
    "dlq forward": "mqsc.cli.dlq.redrive:forward",
    "dlq discard": "mqsc.cli.dlq.redrive:discard",
    "runmqdlq": "mqsc.ibm.agents:runmqdlq",
    "runmqsc": "mqsc.ibm.runmqsc:runmqsc",
    "crtmqm": "mqsc.ibm.managers:crtmqm",
    "strmqm": "mqsc.ibm.managers:strmqm",
    "endmqm": "mqsc.ibm.managers:endmqm",
    "dltmqm": "mqsc.ibm.managers:dltmqm",
    "dspmq": "mqsc.ibm.displaying:dspmq",
    "dspmqver": "mqsc.ibm.version:dspmqver",
    "strmqcsv": "mqsc.ibm.command_server:strmqcsv",
    "endmqcsv": "mqsc.ibm.command_server:endmqcsv",
    "dspmqcsv": "mqsc.ibm.command_server:dspmqcsv",
    "setmqaut": "mqsc.ibm.authority:setmqaut",
    "dspmqaut": "mqsc.ibm.authority:dspmqaut",
    "dmpmqaut": "mqsc.ibm.authority:dmpmqaut",
    "amqsput": "mqsc.ibm.samples:amqsput",
    "amqsget": "mqsc.ibm.samples:amqsget",
    "amqsbcg": "mqsc.ibm.samples:amqsbcg",
    "amqsputc": "mqsc.ibm.samples:amqsputc",
    "amqsgetc": "mqsc.ibm.samples:amqsgetc",
    "amqsbcgc": "mqsc.ibm.samples:amqsbcgc",
    "amqspub": "mqsc.ibm.topic_samples:amqspub",
    "amqssub": "mqsc.ibm.topic_samples:amqssub",
    "amqspubc": "mqsc.ibm.topic_samples:amqspubc",
    "amqssubc": "mqsc.ibm.topic_samples:amqssubc",
    "check": "mqsc.cli.check:check",
    "fmt": "mqsc.cli.fmt:fmt",
    "explain": "mqsc.cli.explain:explain",
    "help": "mqsc.cli.explain:help_",
    "mqrc": "mqsc.ibm.mqrc:mqrc",
    "export": "mqsc.cli.export:export",
    "diff": "mqsc.cli.diff:diff",
    "dmpmqcfg": "mqsc.ibm.dmpmqcfg:dmpmqcfg",
    "dmpmqmsg": "mqsc.ibm.message_copies:dmpmqmsg",
    "backup": "mqsc.cli.backup:backup",
    "restore": "mqsc.cli.restore:restore",
    "doctor": "mqsc.cli.doctor:doctor",
    "archive": "mqsc.cli.archive.archive:archive",
    "archive verify": "mqsc.cli.archive.verify:verify",
    "archive list": "mqsc.cli.archive.list:list_",
    "report": "mqsc.cli.report:report",
    "config": "mqsc.cli.config:config",
    "target list": "mqsc.cli.targets.target:list_",
    "target add": "mqsc.cli.targets.target:add",
    "target remove": "mqsc.cli.targets.target:remove",
    "target test": "mqsc.cli.targets.target:test",
    "fleet": "mqsc.cli.targets.fleet:fleet",
    "snapshot": "mqsc.cli.targets.snapshot:snapshot",
    "top": "mqsc.cli.top:top",
    "blame": "mqsc.cli.blame:blame",
    "undo": "mqsc.cli.undo:undo",
    "depth": "mqsc.cli.past.depth:depth",
    "reconcile": "mqsc.cli.past.reconcile:reconcile",
    "import": "mqsc.cli.import_:import_",
    "demo": "mqsc.cli.demo:demo",
    "lsp": "mqsc.lsp:lsp",
    "mcp": "mqsc.sandbox:mcp",
    "whatif": "mqsc.cli.past.whatif:whatif",
    "reproduce": "mqsc.cli.past.reproduce:reproduce",
    "bisect": "mqsc.cli.past.bisect:bisect",
    "history keep": "mqsc.cli.past.keep:keep_",
}
# Earlier words for commands. They still work, a line on stderr says the word of today, and no help,
# manual or completion has them.
EARLIER_WORDS: Mapping[str, str] = {"audit": "reconcile", "case": "reproduce"}
# The names of IBM's programs have a heading of their own on the first page.
_IBM = "IBM"
_ROWS = table(
    __file__, "commands.csv", ("command", "about", "place", "task", "words", "help", "examples")
)
EXAMPLES: Mapping[str, tuple[str, ...]] = {
    row["command"]: tuple(row["examples"].split("\n")) for row in _ROWS
}
_PLACED = sorted((row for row in _ROWS if row["place"]), key=lambda row: float(row["place"]))
# The commands by task, each in a few words.
TASKS: Mapping[str, Mapping[str, str]] = {
    task: {row["command"]: row["words"] for row in _PLACED if row["task"] == task}
    for task in dict.fromkeys(row["task"] for row in _PLACED)
    if task != _IBM
}
IBM_NAMES = [row["command"] for row in _PLACED if row["task"] == _IBM]
# The first page has no room for more of them.
FIRST_IBM_NAMES = tuple(
    """
    runmqsc crtmqm strmqm endmqm dltmqm dspmq dmpmqcfg mqrc amqsput amqsget amqsbcg
    runmqdlq runmqtrm runmqchl runmqchi setmqaut dspmqaut dmpmqaut
    """.split()
)


class CommandRow(NamedTuple):
    """The module and function of a command, and its line. A group that only has commands has
    `help` instead.
    """

    module: str
    function: str
    about: str
    help: str = ""


def commands_ending_in(word: str) -> list[str]:
    """The commands of groups whose last word it is: of create, qmgr create."""
    return [row["command"] for row in _ROWS if row["command"].endswith(f" {word}")]


def commands_in(group: str = "") -> dict[str, CommandRow]:
    """The commands in a group by their last word; without a name, those of the command line."""
    rows = ((*row["command"].rpartition(" "), row) for row in _ROWS if row["command"])
    of_group = {name: row for path, _, name, row in rows if path == group}
    return {
        name: CommandRow(*_function_of(row["command"]), row["about"], row["help"])
        for name, row in of_group.items()
    }


def _function_of(command: str) -> tuple[str, str]:
    """The module and the name of the function of a command, both blank for a group that only
    has commands.
    """
    module, _, name = FUNCTIONS.get(command, "").partition(":")
    return module, name
