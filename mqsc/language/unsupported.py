"""Commands that MQ has for something that does not exist here: read as MQ reads them, and refused with a reason.

A row: the command, how its object is named, the words it takes, and why it is refused. Another such command is a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mqsc.language.request import Naming

_NONE, _EXACT, _GENERIC, _OPTIONAL = Naming.NONE, Naming.EXACT, Naming.GENERIC, Naming.OPTIONAL
_SEVERAL = Naming.SEVERAL


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A command that is refused: `parameters` are the words it takes, in any form; `sentence` says why."""

    verb: str
    noun: str
    naming: Naming
    parameters: tuple[str, ...]
    sentence: str


def _rows(sentence: str, *commands: tuple[str, str, Naming, str]) -> tuple[Elsewhere, ...]:
    return tuple(Elsewhere(verb, noun, how, tuple(words.split()), sentence) for verb, noun, how, words in commands)


_COMMINFO = (
    "BRIDGE CCSID COMMEV DESCR ENCODING GRPADDR LIKE MCHBINT MCPROP MONINT MSGHIST NOREPLACE NSUBHIST PORT REPLACE TYPE"
)
_ROWS: tuple[Elsewhere, ...] = (
    *_rows(
        "a store has no buffer pools",
        ("DEFINE", "BUFFPOOL", _EXACT, "BUFFERS FIXED4KB LOCATION NOREPLACE PAGECLAS REPLACE"),
        ("ALTER", "BUFFPOOL", _EXACT, "BUFFERS LOCATION PAGECLAS"),
        ("DELETE", "BUFFPOOL", _EXACT, ""),
    ),
    *_rows(
        "a store has no page sets",
        ("DEFINE", "PSID", _EXACT, "BUFFPOOL DSN EXPAND"),
        ("ALTER", "PSID", _EXACT, "EXPAND"),
        ("DELETE", "PSID", _EXACT, ""),
        ("DISPLAY", "USAGE", _NONE, "ALL CMDSCOPE PSID TYPE WHERE"),
    ),
    *_rows(
        "the log is SQLite's own; no command reaches it",
        ("ARCHIVE", "LOG", _NONE, "CANCEL CMDSCOPE MODE OFFLOAD TIME WAIT"),
        ("DEFINE", "LOG", _EXACT, "CMDSCOPE COPY"),
        ("DISPLAY", "LOG", _NONE, "ALL CMDSCOPE COMMANDS WHERE"),
        ("DISPLAY", "ARCHIVE", _NONE, "ALL CMDSCOPE WHERE"),
        ("RECOVER", "BSDS", _NONE, "CMDSCOPE"),
        ("SET", "LOG", _NONE,
         "CMDSCOPE COMPLOG DEALLCT DEFAULT MAXARCH MAXCNOFF MAXRTU WRTHRSH ZHYLINK ZHYWRITE"),
        ("SET", "ARCHIVE", _NONE,
         "ALCUNIT ARCPFX1 ARCPFX2 ARCRETN ARCWRTC ARCWTOR BLKSIZE CATALOG CMDSCOPE COMPACT DEFAULT PRIQTY PROTECT"
         " QUIESCE SECQTY TSTAMP UNIT UNIT2"),
    ),
    *_rows(
        "ALTER QMGR MAXUMSGS sets the most uncommitted messages, and DISPLAY QMGR MAXUMSGS shows it",
        ("DEFINE", "MAXSMSGS", _EXACT, "CMDSCOPE"),
        ("DISPLAY", "MAXSMSGS", _NONE, "ALL CMDSCOPE WHERE"),
    ),
    *_rows(
        "coupling-facility structures are definitions without a structure behind them here",
        ("BACKUP", "CFSTRUCT", _EXACT, "CMDSCOPE EXCLINT"),
        ("RECOVER", "CFSTRUCT", _SEVERAL, "CMDSCOPE TYPE"),
        ("RESET", "CFSTRUCT", _EXACT, "ACTION"),
        ("DISPLAY", "CFSTATUS", _GENERIC,
         "ACCESS ALL BKUPDATE BKUPERBA BKUPSIZE BKUPSRBA BKUPTIME CFTYPE ENTSMAX ENTSUSED FAILDATE FAILTIME LOGS"
         " OFFLDUSE QMNAME RCVDATE RCVTIME SIZEMAX SIZEUSED SMDS STATUS SYSNAME TYPE WHERE"),
        ("ALTER", "SMDS", _EXACT, "CFSTRUCT DSBUFS DSEXPAND"),
        ("DISPLAY", "SMDS", _GENERIC, "ALL CFSTRUCT DSBUFS DSEXPAND SMDS WHERE"),
        ("RESET", "SMDS", _EXACT, "ACCESS CFSTRUCT STATUS"),
        ("DISPLAY", "SMDSCONN", _GENERIC, "ALL AVAIL CFSTRUCT CMDSCOPE EXPANDST OPENMODE STATUS WHERE"),
        ("START", "SMDSCONN", _EXACT, "CFSTRUCT CMDSCOPE"),
        ("STOP", "SMDSCONN", _EXACT, "CFSTRUCT CMDSCOPE"),
    ),
    *_rows("this queue manager is in no queue-sharing group", ("DISPLAY", "GROUP", _NONE, "ALL OBSMSGS WHERE")),
    *_rows("there is no IMS bridge", (
        "RESET", "TPIPE", _EXACT, "ACTION CMDSCOPE RCVSEQ SENDSEQ XCFGNAME XCFMNAME")),
    *_rows(
        "there is no trace; the history records what happens, and `mqsc report` tells it",
        ("ALTER", "TRACE", _OPTIONAL, "CLASS CMDSCOPE COMMENT IFCID TNO"),
        ("DISPLAY", "TRACE", _OPTIONAL, "ALL CLASS CMDSCOPE COMMENT DEST DETAIL RMID TNO USERID WHERE"),
        ("START", "TRACE", _OPTIONAL, "ACCTG CHINIT CLASS CMDSCOPE COMMENT DEST GLOBAL IFCID RMID STAT TDATA USERID"),
        ("STOP", "TRACE", _OPTIONAL, "CLASS CMDSCOPE COMMENT DEST RMID TNO USERID"),
    ),
    *_rows(
        "there are no system parameters; settings are attributes of the queue manager",
        ("DISPLAY", "SYSTEM", _NONE, "ACELIM ALL CLCACHE CMDSCOPE SPLCAP WHERE"),
        ("SET", "SYSTEM", _NONE, "ACCTIME ACELIM CMDSCOPE DEFAULT EXCLMSG LOGLOAD SERVICE STATIME TRACTBL"),
    ),
    *_rows(
        "there are no threads of other address spaces; DISPLAY CONN shows who is connected",
        ("DISPLAY", "THREAD", _GENERIC, "ALL CMDSCOPE QMNAME TYPE WHERE"),
    ),
    *_rows(
        "units of work are the queue manager's own: none is ever left in doubt by a coordinator",
        ("RESOLVE", "INDOUBT", _EXACT, "ACTION CMDSCOPE NID QMNAME"),
    ),
    *_rows(
        "no authority is enforced here, so no user's rights are kept in memory",
        ("ALTER", "SECURITY", _NONE, "CMDSCOPE INTERVAL TIMEOUT"),
        ("DISPLAY", "SECURITY", _NONE, "ALL CMDSCOPE INTERVAL SWITCHES TIMEOUT"),
        ("RVERIFY", "SECURITY", _SEVERAL, "CMDSCOPE"),
        ("DISPLAY", "AUTHSERV", _NONE, "ALL IFVER UIDSUPP WHERE"),
    ),
    *_rows(
        "`strmqm` starts a queue manager and `endmqm` ends it; a command cannot reach one that is not running",
        ("START", "QMGR", _NONE, "AMSPROD BACKMIG ENVPARM PARM QMGRPROD"),
        ("STOP", "QMGR", _NONE, "CMDSCOPE MODE"),
    ),
    *_rows(
        "messages are not signed or encrypted, so there are no policies",
        ("SET", "POLICY", _EXACT, "ACTION ENCALG ENFORCE KEYREUSE RECIP SIGNALG SIGNER TOLERATE"),
        ("DISPLAY", "POLICY", _GENERIC, "ALL WHERE"),
        ("DELETE", "POLICY", _EXACT, "IGNSTATE"),
    ),
    *_rows(
        "publications are not delivered, by multicast or otherwise, so there are no communication information objects",
        ("DEFINE", "COMMINFO", _EXACT, _COMMINFO),
        ("ALTER", "COMMINFO", _EXACT, _COMMINFO),
        ("DELETE", "COMMINFO", _EXACT, "IGNSTATE"),
        ("DISPLAY", "COMMINFO", _GENERIC, f"{_COMMINFO} ALL ALTDATE ALTTIME WHERE"),
    ),
    *_rows("MQTT clients cannot come in here", ("PURGE", "CHANNEL", _EXACT, "CHLTYPE CLIENTID")),
)  # fmt: skip
ELSEWHERE: Mapping[tuple[str, str], Elsewhere] = {(row.verb, row.noun): row for row in _ROWS}
