"""The formats that are recognised, each by a pattern in the beginning of a file.

A pattern is a regular expression over the text of the beginning, which begins with the first line
that is not blank; bytes above 127 are the characters of Latin-1. The first format whose pattern is
found is that of the file. To add a format, add a row here, and its reader to readers.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntEnum

from msgspec import Struct


class Stage(IntEnum):
    """What a format has, in the order of import: events are of a queue manager that definitions
    make, and messages need queues.
    """

    DEFINITIONS = 0
    # The output of DISPLAY may have definitions too.
    DISPLAYED = 1
    EVENTS = 2
    MESSAGES = 3


class Format(Struct, frozen=True):
    """A format by its name, and a phrase `about` it for sentences."""

    name: str
    stage: Stage
    pattern: re.Pattern[str]
    about: str


# In one of the first twenty lines.
_NEAR = r"\A(?:.*\n){0,19}"
# Twenty lines, and anywhere in the last.
_WITHIN = _NEAR + ".*"


def _format(name: str, stage: Stage, pattern: str, about: str) -> Format:
    return Format(name, stage, re.compile(pattern, re.MULTILINE), about)


_ROWS = (
    # Recognised, and not read.
    _format(
        "mh05",
        Stage.DEFINITIONS,
        _WITHIN + r"(?:xmqdspev|^ +ReasonCode: \d+)",
        "the output of xmqdspev (MH05)",
    ),
    _format(
        "amqsmon",
        Stage.DEFINITIONS,
        _NEAR + r"\s*(?:MonitoringType: |Monitoring Type: )",
        "the output of amqsmon or amqsact",
    ),
    _format(
        "dspmqrte",
        Stage.DEFINITIONS,
        _NEAR + r"AMQ865[39]I?: DSPMQRTE ",
        "the output of dspmqrte",
    ),
    _format(
        "dmpmqlog",
        Stage.DEFINITIONS,
        _NEAR + r"AMQ(?:7701)I?: DMPMQLOG ",
        "the output of dmpmqlog",
    ),
    _format(
        "dmpmqaut",
        Stage.DEFINITIONS,
        _NEAR + r"(?:profile: +\S.*\r?\nobject type: "
        r"|Entity .+ has the following authorizations for object )",
        "the output of dspmqaut, or of dmpmqaut without -a",
    ),
    _format(
        "ffst",
        Stage.DEFINITIONS,
        _NEAR + r"(?:\|.* First Failure Symptom Report|!?AMQ\S+\.FDC \d{4}/\d\d/\d\d )",
        "a report of a failure (FFST)",
    ),
    _format(
        "rest",
        Stage.DEFINITIONS,
        _WITHIN + r'"(?:commandResponse|overallReasonCode)"\s*:',
        "a response of the REST API",
    ),
    _format(
        "qload-summary",
        Stage.DEFINITIONS,
        r"\A(?:.*\n){0,5}(?:Summary of |Message Age )",
        "a summary of dmpmqmsg (-ds, -dT) without messages",
    ),
    # Events.
    _format(
        "amqsevt-json",
        Stage.EVENTS,
        r'\A\[?\s*\{\s*"(?:eventSource|callbackReason|eventType|eventReason|eventCreation)"\s*:',
        "event messages, as amqsevt -o json prints them",
    ),
    _format(
        "errorlog-json",
        Stage.EVENTS,
        _NEAR + r'(?:[^{\n]*[ |])?\{.*"(?:ibm_messageI[dD]|ibm_datetime)"\s*:',
        "error logs in JSON",
    ),
    _format(
        "amqsevt",
        Stage.EVENTS,
        _NEAR + r"(?:Sample AMQSEVT start|\*{4} Message #\d+ \()",
        "event messages, as amqsevt prints them",
    ),
    _format(
        "errorlog",
        Stage.EVENTS,
        # A time, and what follows it; or the line between two records.
        r"^(?:[ \t]*\d[\d./-]*\d[ T]+\d[\d:.]*\d(?: ?[AaPp]\.?[Mm]\.?)?"
        r"(?:[ \t]+-[ \t]+Process\(|[ \t]*\r?\n[ \t]*AMQ\d{4}: )"
        r"|-{5} \S+ : \d+ -+$)",
        "error logs: AMQERR01.LOG and older ones",
    ),
    _format(
        "containerlog",
        Stage.EVENTS,
        r"^.*\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z "
        r"(?:AMQ\d{4}[A-Z]: |Using queue manager name: )",
        "the log of a container with MQ",
    ),
    _format(
        "joblog",
        Stage.EVENTS,
        # The heading of JES2, if any, a time, the message and the command prefix.
        r"^[ \t]*(?:[A-Z]{1,2} *[0-9A-F]{7} +\S+ +)?\d[\d.:/ -]*\s"
        r".*[ +]CSQ[A-Z0-9]\d{3}[A-Z] +[^\s\w@#$]?[A-Z@#$][A-Z0-9@#$]{0,3} ",
        "CSQ messages of a job log",
    ),
    _format(
        "pcf",
        Stage.EVENTS,
        r"\A(?:[\x07\x15\x16\x1a]\0\0\0\x24\0\0\0|\0\0\0[\x07\x15\x16\x1a]\0\0\0\x24)",
        "event messages in PCF",
    ),
    # Messages.
    _format(
        "qload",
        Stage.MESSAGES,
        r"\A(?:\* (?:QLOAD|DMPMQMSG)|A (?:VER|RPT) |N *$|\* Index|(?:.*\n){0,19}A [A-Z]{3} )",
        "messages, as dmpmqmsg, qload and CSQUDMSG write them",
    ),
    _format(
        "amqsbcg",
        Stage.MESSAGES,
        r"AMQSBCG0 - starts here",
        "messages, as amqsbcg prints them",
    ),
    # Definitions, which many texts resemble.
    _format(
        "transcript",
        Stage.DISPLAYED,
        _WITHIN + r"(?:5724-H72|Starting MQSC for|^ +1 : |^AMQ\d{4}[A-Z]?: Display"
        r"|QMNAME\(.*\).*STATUS\(|CSQN205I|CSQM\d+I )",
        "the output of DISPLAY commands",
    ),
    _format(
        "zos",
        Stage.DEFINITIONS,
        # DEFINE may be in EBCDIC.
        _WITHIN + r"(?:EXEC +PGM=CSQUTIL|COMMAND +DDNAME|DEFINE +NOREPLACE)"
        r"|\xc4\xc5\xc6\xc9\xd5\xc5",
        "definitions of z/OS, as CSQUTIL writes them",
    ),
    _format(
        "dmpmqcfg",
        Stage.DEFINITIONS,
        r"^ *(?:\*|DEFINE\b|DEF\b|ALTER\b|ALT\b|SET\b"
        r"|(?:\S*[\\/@])?(?:setmqaut|GRTMQMAUT)\b)",
        "definitions, as dmpmqcfg and scripts have them",
    ),
)
# In the order in which they are tried.
FORMATS: Mapping[str, Format] = {row.name: row for row in _ROWS}
