"""REFRESH: scan queues for expired messages; what else MQ refreshes does not exist here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from mqsc.language.generic_names import GenericName
from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import decided, without_effect
from mqsc.reply import Answer, text_of
from mqsc.verbs.objects import objects_of
from mqsc.verbs.options import option, scope
from mqsc.verbs.state import check_running
from store.catalog.types import Number, Word
from store.constants import MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager

_KINDS = (
    "ALL", "AUTHINFO", "AUTHREC", "CFSTRUCT", "CHANNEL", "CHLAUTH", "LISTENER", "NAMELIST", "PROCESS", "QALIAS",
    "QLOCAL", "QMGR", "QMODEL", "QREMOTE", "QUEUE", "SERVICE", "STGCLASS", "TOPIC",
)  # fmt: skip
# Which parameters go with which TYPE.
_TAKES: Mapping[str, frozenset[str]] = {
    "EXPIRY": frozenset({"NAME"}),
    "CONFIGEV": frozenset({"NAME", "OBJECT", "INCLINT"}),
    "PROXYSUB": frozenset(),
    "EARLY": frozenset(),
}


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Carry out the type of refresh that was asked for; MQError 3015 for a parameter that does not go with it."""
    check_running(qmgr)
    if request.noun != "QMGR":
        return decided(request.verb, request.noun)
    type = str(request.options["TYPE"])
    if (_TAKES["CONFIGEV"] - _TAKES[type]) & request.options.keys():
        raise MQError(MQRCCF.PARM_CONFLICT, f"REFRESH QMGR TYPE({type})")
    return _TYPES[type](qmgr, request)


def _expiry(qmgr: QueueManager, request: Request) -> Answer:
    """Scan, and list for every queue looked at how many messages were examined and discarded, and reports made."""
    from store.admin import refresh_expiry

    scans = refresh_expiry(qmgr, str(request.options.get("NAME", "*")))
    rows = [
        {"QUEUE": scan.queue, "EXAMINED": scan.examined, "DISCARDED": scan.discarded, "REPORTS": scan.reports}
        for scan in scans
    ]
    discarded = sum(scan.discarded for scan in scans)
    detail = f"{discarded} from {len(rows)} {'queue' if len(rows) == 1 else 'queues'}"
    return Answer("MQSC0001I", text_of("MQSC0001I", detail=detail), rows=rows)


def _configuration(qmgr: QueueManager, request: Request) -> Answer:
    """Configuration events are not written; MQError 3224 while they are disabled, as anywhere."""
    from store.admin import inquire_queue_manager

    if inquire_queue_manager(qmgr)["CONFIGEV"] == "DISABLED":
        raise MQError(MQRCCF.EVENTS_DISABLED, qmgr.name)
    return without_effect("REFRESH QMGR TYPE(CONFIGEV)", "Configuration events are not written here; see the history.")


def _subscriptions(qmgr: QueueManager, request: Request) -> Answer:
    said = text_of("MQSC0004I", "REFRESH QMGR TYPE(PROXYSUB)")
    return Answer("MQSC0004I", f"{said}\nNothing is published here, so other queue managers hold no proxies.")


def _early(qmgr: QueueManager, request: Request) -> Answer:
    return without_effect("REFRESH QMGR TYPE(EARLY)", "There is no early code outside z/OS.")


_TYPES: Mapping[str, Callable[[QueueManager, Request], Answer]] = {
    "EXPIRY": _expiry,
    "CONFIGEV": _configuration,
    "PROXYSUB": _subscriptions,
    "EARLY": _early,
}

VERB = Verb(
    "REFRESH",
    objects_of("REFRESH"),
    Naming.EXACT,
    perform,
    (
        option("TYPE", Word(tuple(_TYPES)), "What is refreshed.", None, "QMGR", required=True),
        option("NAME", GenericName(), "The queues to scan, or the objects to tell of.", "*", "QMGR"),
        option("OBJECT", Word(_KINDS), "The objects to tell of.", "ALL", "QMGR"),
        option("INCLINT", Number(0, 999_999), "Only what changed in so many minutes; 0 is everything.", 0, "QMGR"),
        option("TYPE", Word(("AUTHSERV", "SSL", "CONNAUTH", "CLASSES")), "What is read again.", "AUTHSERV", "SECURITY"),
        option("REPOS", Word(("NO", "YES")), "Whether full repositories are forgotten too.", "NO", "CLUSTER"),
        scope("QMGR", "SECURITY", "CLUSTER"),
    ),
    namings={"SECURITY": Naming.OPTIONAL},
)
