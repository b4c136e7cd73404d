"""REFRESH QMGR TYPE(EXPIRY): scan the matching queues now and discard the messages that have expired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.generic import GenericName
from mqsc.reply import Answer, text_of
from mqsc.request import Naming, Request, Verb
from mqsc.verbs.objects import objects_of
from mqsc.verbs.options import CMDSCOPE, option
from store.catalog.types import Word

if TYPE_CHECKING:
    from store.queue_manager import QueueManager


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Scan, and list for every queue looked at how many messages were examined and discarded, and reports made."""
    from store.admin import refresh_expiry

    refreshed = str(request.options["TYPE"])
    if refreshed != "EXPIRY":
        return Answer("MQSC0002E", text_of("MQSC0002E", f"REFRESH QMGR TYPE({refreshed})"), 2)
    scans = refresh_expiry(qmgr, str(request.options.get("NAME", "*")))
    rows = [
        {"QUEUE": scan.queue, "EXAMINED": scan.examined, "DISCARDED": scan.discarded, "REPORTS": scan.reports}
        for scan in scans
    ]
    discarded = sum(scan.discarded for scan in scans)
    detail = f"{discarded} from {len(rows)} {'queue' if len(rows) == 1 else 'queues'}"
    return Answer("MQSC0001I", text_of("MQSC0001I", detail=detail), rows=rows)


VERB = Verb(
    "REFRESH",
    {noun: kinds for noun, kinds in objects_of("REFRESH").items() if noun == "QMGR"},
    Naming.NONE,
    perform,
    (
        option("TYPE", Word(("EXPIRY", "CONFIGEV", "EARLY", "PROXYSUB")), "What is refreshed.", required=True),
        option("NAME", GenericName(), "The queues to scan.", "*"),
        CMDSCOPE,
    ),
)
