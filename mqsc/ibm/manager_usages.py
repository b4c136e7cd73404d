"""The arguments of `crtmqm`, `strmqm`, `endmqm`, `dltmqm` and `dspmq`, and why some of IBM's options are refused."""

from __future__ import annotations

from mqsc.ibm.arguments import FLAG, VALUE, VALUES, Usage, unsupported

_LOG = "the log is SQLite's own"
_CIRCULAR = "the log is circular"
_PATH = "a store is one file, named by --store"
_SECURITY = "authority is not enforced"
_INSTANCE = "a store has no standby instances"
_REPLICA = "a store is not replicated"
_SYSTEM = "queue managers are not started by the operating system"
_ERRORS = "errors are always shown"
_WINDOWS = "access is controlled by the permissions of the store's file"
_INSERTS = "write its inserts +NAME+ as ${NAME}, then: mqsc run FILE --set NAME=VALUE"
CRTMQM = Usage(
    "crtmqm",
    "crtmqm [-c Text] [-d DefXmitQ] [-h MaxHandles] [-lc] [-q] [-t TrigInterval] [-u DeadQ] [-x MaxUMsgs] QMgrName",
    {
        "-c": VALUE, "-d": VALUE, "-h": VALUE, "-lc": FLAG, "-q": FLAG, "-t": VALUE, "-u": VALUE, "-x": VALUE,
        "-a": unsupported(_WINDOWS, value=True),
        "-ar": unsupported(_WINDOWS, value=True),
        "-g": unsupported(_SECURITY, value=True),
        "-oa": unsupported(_SECURITY, value=True),
        **dict.fromkeys(("-ll", "-lla", "-lln"), unsupported(_CIRCULAR)),
        **dict.fromkeys(("-lf", "-lp", "-ls", "-ld"), unsupported(_LOG, value=True)),
        "-fs": unsupported(_PATH, value=True),
        "-md": unsupported(_PATH, value=True),
        "-p": unsupported("there is no listener", value=True),
        **dict.fromkeys(("-lr", "-rl", "-ri", "-rn", "-rp", "-rr", "-rt"), unsupported(_REPLICA, value=True)),
        **dict.fromkeys(("-sx", "-sxs"), unsupported(_REPLICA)),
        **dict.fromkeys(("-ic", "-ii", "-iv"), unsupported(_INSERTS, value=True)),
        **dict.fromkeys(("-sa", "-sax", "-si", "-ss"), unsupported(_SYSTEM)),
        "-z": unsupported(_ERRORS),
    },
    1,
    1,
)  # fmt: skip
STRMQM = Usage(
    "strmqm",
    "strmqm [-c] [QMgrName]",
    {
        "-c": FLAG,
        "-a": unsupported("there are no backup queue managers"),
        "-d": unsupported("starting prints no progress messages", value=True),
        "-e": unsupported("there is only one command level", value=True),
        "-f": unsupported(_LOG),
        "-ns": unsupported("channels and listeners are not started"),
        "-r": unsupported(_LOG),
        "-si": unsupported(_SYSTEM),
        "-ss": unsupported(_SYSTEM),
        "-x": unsupported(_INSTANCE),
        "-z": unsupported(_ERRORS),
    },
    0,
    1,
)
ENDMQM = Usage(
    "endmqm",
    "endmqm [-c | -i | -p | -w] [-t Seconds | -tp Seconds] QMgrName",
    {
        "-c": FLAG, "-i": FLAG, "-p": FLAG, "-t": VALUE, "-tp": VALUE, "-w": FLAG,
        "-r": unsupported("there are no clients to reconnect; programs open the store directly"),
        **dict.fromkeys(("-s", "-x"), unsupported(_INSTANCE)),
        "-z": unsupported(_ERRORS),
    },
    1,
    1,
)  # fmt: skip
DLTMQM = Usage("dltmqm", "dltmqm QMgrName", {"-z": unsupported(_ERRORS)}, 1, 1)
DSPMQ = Usage(
    "dspmq",
    "dspmq [-m QMgrName] [-a] [-n] [-s] [-o status | default | standby | all]...",
    {
        "-a": FLAG, "-m": VALUE, "-n": FLAG, "-o": VALUES, "-s": FLAG,
        **dict.fromkeys(("-f", "-g"), unsupported(_REPLICA)),
        "-c": unsupported("a queue manager has no processes; DISPLAY CONN shows the connected programs"),
        "-i": unsupported("there are no installations"),
        "-x": unsupported(_INSTANCE),
    },
    0,
    0,
)  # fmt: skip
# The values of dspmq -o, and those that have no meaning here.
SHOWN = {"all": "all", "default": "default", "d": "default", "standby": "standby", "status": "status", "s": "status"}
NOT_SHOWN = {
    "installation": "there are no installations",
    **dict.fromkeys(("dr", "ha", "nativeha"), _REPLICA),
}
