"""How `crtmqm`, `strmqm`, `endmqm`, `dltmqm` and `dspmq` are called, and why some of IBM's options are refused."""

from __future__ import annotations

from mqsc.ibm.arguments import FLAG, VALUE, VALUES, Usage, pointless

_LOG = "the log is SQLite's own"
_CIRCULAR = "the log is circular"
_PATH = "a store is one file; --store says where"
_SECURITY = "no authority is enforced"
_INSTANCE = "a store has no standby instances"
_REPLICA = "a store is not replicated"
_SYSTEM = "nothing is started by the system"
_ERRORS = "errors are always told"
_WINDOWS = "the permissions of the store's file say who may open it"
CRTMQM = Usage(
    "crtmqm",
    "crtmqm [-c Text] [-d DefXmitQ] [-h MaxHandles] [-lc] [-q] [-t TrigInterval] [-u DeadQ] [-x MaxUMsgs] QMgrName",
    {
        "-c": VALUE, "-d": VALUE, "-h": VALUE, "-lc": FLAG, "-q": FLAG, "-t": VALUE, "-u": VALUE, "-x": VALUE,
        "-a": pointless(_WINDOWS, value=True),
        "-ar": pointless(_WINDOWS, value=True),
        "-g": pointless(_SECURITY, value=True),
        "-oa": pointless(_SECURITY, value=True),
        **dict.fromkeys(("-ll", "-lla", "-lln"), pointless(_CIRCULAR)),
        **dict.fromkeys(("-lf", "-lp", "-ls", "-ld"), pointless(_LOG, value=True)),
        "-fs": pointless(_PATH, value=True),
        "-md": pointless(_PATH, value=True),
        "-p": pointless("no port is listened on", value=True),
        **dict.fromkeys(("-lr", "-rl", "-ri", "-rn", "-rp", "-rr", "-rt"), pointless(_REPLICA, value=True)),
        **dict.fromkeys(("-sx", "-sxs"), pointless(_REPLICA)),
        **dict.fromkeys(("-ic", "-ii", "-iv"), pointless("write the commands to a script and run it", value=True)),
        **dict.fromkeys(("-sa", "-sax", "-si", "-ss"), pointless(_SYSTEM)),
        "-z": pointless(_ERRORS),
    },
    1,
    1,
)  # fmt: skip
STRMQM = Usage(
    "strmqm",
    "strmqm [-c] [QMgrName]",
    {
        "-c": FLAG,
        "-a": pointless("there are no backup queue managers"),
        "-d": pointless("starting says no more than that it is done", value=True),
        "-e": pointless("there is one command level", value=True),
        "-f": pointless(_LOG),
        "-ns": pointless("neither channels nor listeners are started"),
        "-r": pointless(_LOG),
        "-si": pointless(_SYSTEM),
        "-ss": pointless(_SYSTEM),
        "-x": pointless(_INSTANCE),
        "-z": pointless(_ERRORS),
    },
    0,
    1,
)
ENDMQM = Usage(
    "endmqm",
    "endmqm [-c | -i | -p | -w] [-t Seconds | -tp Seconds] QMgrName",
    {
        "-c": FLAG, "-i": FLAG, "-p": FLAG, "-t": VALUE, "-tp": VALUE, "-w": FLAG,
        "-r": pointless("clients cannot be told to reconnect: programs open the store themselves"),
        **dict.fromkeys(("-s", "-x"), pointless(_INSTANCE)),
        "-z": pointless(_ERRORS),
    },
    1,
    1,
)  # fmt: skip
DLTMQM = Usage("dltmqm", "dltmqm QMgrName", {"-z": pointless(_ERRORS)}, 1, 1)
DSPMQ = Usage(
    "dspmq",
    "dspmq [-m QMgrName] [-a] [-n] [-s] [-o status | default | standby | all]...",
    {
        "-a": FLAG, "-m": VALUE, "-n": FLAG, "-o": VALUES, "-s": FLAG,
        **dict.fromkeys(("-f", "-g"), pointless(_REPLICA)),
        "-c": pointless("no process stands for a queue manager; DISPLAY CONN shows who is connected"),
        "-i": pointless("there are no installations"),
        "-x": pointless(_INSTANCE),
    },
    0,
    0,
)  # fmt: skip
# What dspmq -o takes, and what it refuses.
SHOWN = {"all": "all", "default": "default", "d": "default", "standby": "standby", "status": "status", "s": "status"}
NOT_SHOWN = {
    "installation": "there are no installations",
    **dict.fromkeys(("dr", "ha", "nativeha"), _REPLICA),
}
