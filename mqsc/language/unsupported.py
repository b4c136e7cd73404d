"""MQSC commands for things that do not exist here. They are checked like other commands, then refused with a reason.

Each row has the command, how it names its object, the words that it takes, and the reason. To add a command, add a row.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from mqsc.language.request import Naming, Request

_NONE, _EXACT, _GENERIC, _OPTIONAL = Naming.NONE, Naming.EXACT, Naming.GENERIC, Naming.OPTIONAL
_SEVERAL = Naming.SEVERAL


class UnsupportedCommand(Struct, frozen=True):
    """A command that is refused. `parameters` are the words it takes, with any value; `sentence` is the reason."""

    verb: str
    noun: str
    naming: Naming
    parameters: tuple[str, ...]
    sentence: str


def _rows(sentence: str, *commands: tuple[str, str, Naming, str]) -> tuple[UnsupportedCommand, ...]:
    return tuple(UnsupportedCommand(*command[:3], tuple(command[3].split()), sentence) for command in commands)


_ROWS: tuple[UnsupportedCommand, ...] = (
    *_rows(
        "a store has no buffer pools",
        ("DEFINE", "BUFFPOOL", _EXACT, "BUFFERS FIXED4KB LOC LOCATION NOREPLACE PAGECLAS REPLACE"),
        ("ALTER", "BUFFPOOL", _EXACT, "BUFFERS LOC LOCATION PAGECLAS"),
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
        "the log belongs to SQLite; no command can change it",
        ("ARCHIVE", "LOG", _NONE, "CANCEL CMDSCOPE MODE OFFLOAD TIME WAIT"),
        ("DEFINE", "LOG", _EXACT, "CMDSCOPE COPY"),
        ("DISPLAY", "LOG", _NONE, "ALL CMDSCOPE COMMANDS WHERE"),
        ("DISPLAY", "ARCHIVE", _NONE, "ALL CMDSCOPE WHERE"),
        ("RECOVER", "BSDS", _NONE, "CMDSCOPE"),
        ("SET", "LOG", _NONE,
         "ARCHIVED CMDSCOPE COMPLOG DEALLCT DEFAULT MAXARCH MAXCNOFF MAXRTU WRTHRSH ZHYLINK ZHYWRITE"),
        ("SET", "ARCHIVE", _NONE,
         "ALCUNIT ARCPFX1 ARCPFX2 ARCRETN ARCWRTC ARCWTOR BLKSIZE CATALOG CMDSCOPE COMPACT DEFAULT PRIQTY PROTECT"
         " QUIESCE SECQTY TSTAMP UNIT UNIT2"),
    ),
    *_rows(
        "the limit for uncommitted messages is MAXUMSGS of the queue manager: use ALTER QMGR and DISPLAY QMGR",
        ("DEFINE", "MAXSMSGS", _EXACT, "CMDSCOPE"),
        ("DISPLAY", "MAXSMSGS", _NONE, "ALL CMDSCOPE WHERE"),
    ),
    *_rows(
        "there is no coupling facility: the store keeps the messages of shared queues",
        ("BACKUP", "CFSTRUCT", _EXACT, "CMDSCOPE EXCLINT"),
        ("RECOVER", "CFSTRUCT", _SEVERAL, "CMDSCOPE TYPE"),
        ("RESET", "CFSTRUCT", _EXACT, "ACTION"),
        ("ALTER", "SMDS", _EXACT, "CFSTRUCT DSBUFS DSEXPAND"),
        ("DISPLAY", "SMDS", _GENERIC, "ALL CFSTRUCT DSBUFS DSEXPAND SMDS WHERE"),
        ("RESET", "SMDS", _EXACT, "ACCESS CFSTRUCT STATUS"),
        ("DISPLAY", "SMDSCONN", _GENERIC, "ALL AVAIL CFSTRUCT CMDSCOPE EXPANDST OPENMODE STATUS WHERE"),
        ("START", "SMDSCONN", _EXACT, "CFSTRUCT CMDSCOPE"),
        ("STOP", "SMDSCONN", _EXACT, "CFSTRUCT CMDSCOPE"),
    ),
    *_rows("there is no IMS bridge", (
        "RESET", "TPIPE", _EXACT, "ACTION CMDSCOPE RCVSEQ SENDSEQ XCFGNAME XCFMNAME")),
    *_rows(
        "there is no trace; the history records events, and `mqsc report` shows them",
        ("ALTER", "TRACE", _OPTIONAL, "CLASS CMDSCOPE COMMENT IFCID TNO"),
        ("DISPLAY", "TRACE", _OPTIONAL, "ALL CLASS CMDSCOPE COMMENT DEST DETAIL RMID TNO USERID WHERE"),
        ("START", "TRACE", _OPTIONAL, "ACCTG CHINIT CLASS CMDSCOPE COMMENT DEST GLOBAL IFCID RMID STAT TDATA USERID"),
        ("STOP", "TRACE", _OPTIONAL, "CLASS CMDSCOPE COMMENT DEST RMID TNO USERID"),
    ),
    *_rows(
        "there are no system parameters; use the attributes of the queue manager",
        ("DISPLAY", "SYSTEM", _NONE, "ACELIM ALL CLCACHE CMDSCOPE SPLCAP WHERE"),
        ("SET", "SYSTEM", _NONE, "ACCTIME ACELIM CMDSCOPE DEFAULT EXCLMSG LOGLOAD SERVICE STATIME TRACTBL"),
    ),
    *_rows(
        "there are no threads of other address spaces; DISPLAY CONN shows the connections",
        ("DISPLAY", "THREAD", _GENERIC, "ALL CMDSCOPE QMNAME TYPE WHERE"),
    ),
    *_rows(
        "no coordinator can leave a unit of work in doubt; RESOLVE CHANNEL is for the batches of channels",
        ("RESOLVE", "INDOUBT", _EXACT, "ACTION CMDSCOPE NID QMNAME"),
    ),
    *_rows(
        "no authority is enforced here, so no authorities are cached",
        ("ALTER", "SECURITY", _NONE, "CMDSCOPE INTERVAL TIMEOUT"),
        ("DISPLAY", "SECURITY", _NONE, "ALL CMDSCOPE INTERVAL SWITCHES TIMEOUT"),
        ("RVERIFY", "SECURITY", _SEVERAL, "CMDSCOPE"),
        ("DISPLAY", "AUTHSERV", _NONE, "ALL IFVER UIDSUPP WHERE"),
    ),
    *_rows(
        "use `strmqm` and `endmqm`; a stopped queue manager cannot receive commands",
        ("START", "QMGR", _NONE, "AMSPROD BACKMIG ENVPARM PARM QMGRPROD"),
        ("STOP", "QMGR", _NONE, "CMDSCOPE MODE"),
    ),
    *_rows(
        "messages are not signed or encrypted, so there are no policies",
        ("SET", "POLICY", _EXACT, "ACTION ENCALG ENFORCE KEYREUSE RECIP SIGNALG SIGNER TOLERATE"),
        ("DISPLAY", "POLICY", _GENERIC, "ALL WHERE"),
        ("DELETE", "POLICY", _EXACT, "IGNSTATE"),
    ),
    *_rows("MQTT clients cannot connect here", ("PURGE", "CHANNEL", _EXACT, "CHLTYPE CLIENTID")),
)  # fmt: skip
UNSUPPORTED: Mapping[tuple[str, str], UnsupportedCommand] = {(row.verb, row.noun): row for row in _ROWS}


def unsupported_here(request: Request) -> str:
    """Why a command is skipped when the user wants to skip what is not supported here; blank if it is supported."""
    row = UNSUPPORTED.get((request.verb, request.noun))
    return "" if row is None else f"not supported here: {row.sentence}"
