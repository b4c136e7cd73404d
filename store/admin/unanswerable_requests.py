"""Messages whose reply queue their receivers may not put to."""

from __future__ import annotations

from mqsc.store.admin.authority_explanation import Cure
from mqsc.store.constants import MQRO
from mqsc.store.engine import authorization, name_resolution
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.rules import authority_profiles, opening, wanted_authorities
from mqsc.store.rules.authorization import PRINCIPAL, Identity
from mqsc.store.sql import search


def unanswerable(qmgr: QueueManagerState) -> list[tuple[str, Cure]]:
    """Messages on queues that name a reply queue to which a user or group that may get them may not
    put.

    A report on delivery is put with the authority of who gets the message, and asks for PASSID too.
    """
    findings: dict[tuple[str, Cure], None] = {}
    with qmgr.reading() as (reading, call):
        about = reading, qmgr.store, call.qmgr
        readers = [
            each for each in authorization.every_grant(reading, qmgr.name) if "GET" in each.words
        ]
        for queue, report, *named in search.reply_queues(reading, qmgr.name):
            options = opening.OUTPUT | (opening.PASS_IDENTITY_CONTEXT if report & MQRO.COD else 0)
            destination = name_resolution.resolve(reading, call.qmgr, *named)
            if isinstance(destination, name_resolution.Destination):
                wanted = authorization.authorities_to_open_queue(
                    reading,
                    call.qmgr,
                    tuple(named),
                    options,
                    destination,
                )
            else:
                wanted = wanted_authorities.authorities_to_open("QUEUE", named[0], options)
            for kind, name in {
                each.entity
                for each in readers
                if authority_profiles.profile_fits(each.profile, queue)
            }:
                who = (
                    authorization.identity_of(*about, name)
                    if kind == PRINCIPAL
                    else Identity("", (name,))
                )
                held = authorization.held(*about, who, "QUEUE", wanted[0].name)
                words = tuple(each.word for each in wanted if each.word not in held)
                if words and "GET" in authorization.held(*about, who, "QUEUE", queue):
                    what = (
                        "reply to, or get with a report on delivery,"
                        if report & MQRO.COD
                        else "reply to"
                    )
                    findings[
                        f"{what} messages on {queue}",
                        Cure(wanted[0].name, "QUEUE", (kind, name), words),
                    ] = None
    return sorted(findings)
