"""All commands of MQSC, supported here or not: the verbs, the objects that each takes, and the synonyms.

The table distinguishes a command that is not supported here from one that does not exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from store.catalog import nearest

_QUEUES = "QALIAS QLOCAL QMODEL QREMOTE"
_OBJECTS = (
    "AUTHINFO BUFFPOOL CFSTRUCT CHANNEL COMMINFO LISTENER NAMELIST PROCESS PSID SERVICE STGCLASS SUB TOPIC " + _QUEUES
)
_RUNNING = "CHANNEL CHINIT CMDSERV LISTENER QMGR SERVICE SMDSCONN TRACE"

COMMANDS: Mapping[str, frozenset[str]] = {
    verb: frozenset(nouns.split())
    for verb, nouns in {
        "ALTER": f"{_OBJECTS} QMGR SECURITY SMDS TRACE",
        "ARCHIVE": "LOG",
        "BACKUP": "CFSTRUCT",
        "CLEAR": "QLOCAL TOPICSTR",
        "DEFINE": f"{_OBJECTS} LOG MAXSMSGS",
        "DELETE": f"{_OBJECTS} AUTHREC POLICY",
        "DISPLAY": (
            "APSTATUS ARCHIVE AUTHINFO AUTHREC AUTHSERV CFSTATUS CFSTRUCT CHANNEL CHINIT CHLAUTH CHSTATUS CLUSQMGR "
            "CMDSERV COMMINFO CONN ENTAUTH GROUP LISTENER LOG LSSTATUS MAXSMSGS NAMELIST POLICY PROCESS PUBSUB "
            f"QCLUSTER QMGR QMSTATUS QSTATUS QUEUE {_QUEUES} SBSTATUS SECURITY SERVICE SMDS SMDSCONN STGCLASS SUB "
            "SVSTATUS SYSTEM TCLUSTER THREAD TOPIC TPSTATUS TRACE USAGE"
        ),
        "MOVE": "QLOCAL",
        "PING": "CHANNEL QMGR",
        "PURGE": "CHANNEL",
        "RECOVER": "BSDS CFSTRUCT",
        "REFRESH": "CLUSTER QMGR SECURITY",
        "RESET": "CFSTRUCT CHANNEL CLUSTER QMGR QSTATS SMDS TPIPE",
        "RESOLVE": "CHANNEL INDOUBT",
        "RESUME": "QMGR",
        "RVERIFY": "SECURITY",
        "SET": "ARCHIVE AUTHREC CHLAUTH LOG POLICY SYSTEM",
        "START": _RUNNING,
        "STOP": f"{_RUNNING} CONN",
        "SUSPEND": "QMGR",
    }.items()
}

# END is not an MQSC command: it ends the input and is not counted.
ENDINGS = frozenset({"END", "EXIT", "QUIT"})

# The verbs that AMQ8426I lists.
LISTED_VERBS = tuple(
    "ALTER CLEAR DEFINE DELETE DISPLAY END PING REFRESH RESET RESOLVE RESUME SET START STOP SUSPEND".split()
)


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in text.split())


# DELETE has no synonym in MQSC.
VERB_SYNONYMS: Mapping[str, str] = _pairs(
    "ALT=ALTER ARC=ARCHIVE DEF=DEFINE DIS=DISPLAY REBUILD=REFRESH REC=RECOVER REF=REFRESH RES=RESOLVE REV=RVERIFY "
    "REVERIFY=RVERIFY STA=START"
)

# Commands that do not accept a short form of their verb.
WITHOUT_SYNONYM = frozenset({("REF", "QMGR"), ("REBUILD", "QMGR"), ("REBUILD", "CLUSTER")})

NOUN_SYNONYMS: Mapping[str, str] = _pairs(
    "ARC=ARCHIVE BP=BUFFPOOL CHI=CHINIT CHL=CHANNEL CHS=CHSTATUS CS=CMDSERV DQM=CHINIT IND=INDOUBT LSTR=LISTENER "
    "MAXSM=MAXSMSGS NL=NAMELIST PRO=PROCESS Q=QUEUE QA=QALIAS QC=QCLUSTER QL=QLOCAL QM=QMODEL QR=QREMOTE QS=QSTATUS "
    "SEC=SECURITY STC=STGCLASS THD=THREAD TPS=TPSTATUS"
)


def verb_of(word: str) -> str | None:
    """The verb that `word` names, in full or as a synonym."""
    verb = VERB_SYNONYMS.get(word, word)
    return verb if verb in COMMANDS else None


def noun_of(verb: str, word: str) -> str | None:
    """The object that `word` names, in full or as a synonym; None if `verb` does not take it."""
    noun = NOUN_SYNONYMS.get(word, word)
    return noun if noun in COMMANDS[verb] else None


def types_of(word: str, verb: str) -> str:
    """The end of a sentence on QUEUE, which only DISPLAY takes: the types of queue that `verb` takes."""
    types = sorted(COMMANDS[verb].intersection(_QUEUES.split())) if NOUN_SYNONYMS.get(word, word) == "QUEUE" else []
    return f"; name the type of queue: {', '.join(types)}" if types else ""


def meant(word: str, candidates: Iterable[str]) -> str:
    """The end of a sentence: `; did you mean MAXDEPTH?`, or nothing if no candidate is close."""
    close = nearest(word, candidates)
    return f"; did you mean {close}?" if close else ""
