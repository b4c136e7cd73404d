"""The tables of admin-audit, counted from the events one after the other."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from mqsc.store.catalog import KINDS
from tests.reports.counted_tables import Key, same, same_rows
from tests.reports.facts import Facts, Row, hour_of

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

OBJECTS = ("DEFINE", "ALTER", "SET", "DELETE", "CLEAR", "MOVE")
QUEUE_MANAGERS = ("CREATE", "JOIN", "LEAVE", "START", "END", "CLOCK", "ACCESS", "SEND")
RECORDS = ("AUTHREC", "CHLAUTH")
# Attributes that say who may do what.
SECURITY = ("CHLAUTH", "CONNAUTH", "MCAUSER", "PUTAUT")
COLUMNS = (
    "seq at qmgr action cause type object record attribute before after to messages user "
    "application connection security disposition member"
)


def is_administration(event: Row) -> bool:
    """Not what comes with a queue manager, and not dynamic queues."""
    kind, cause = event["kind"], event["cause"]
    if kind == "CHANNEL":
        return cause in ("starting", "stopped")
    return kind in (*OBJECTS, *QUEUE_MANAGERS) and cause not in ("create", "dynamic")


def type_of(event: Row) -> str | None:
    if event["kind"] in QUEUE_MANAGERS:
        return "QMGR"
    type: str | None = event["target"]
    return {"CHANNEL": "CHANNEL", "MOVE": "QLOCAL"}.get(event["kind"], type)


def object_of(event: Row) -> str | None:
    if event["kind"] in QUEUE_MANAGERS:
        return str(event["qmgr"])
    name: str | None = event["target"] if event["kind"] == "CHANNEL" else event["queue"]
    return name


def changes(facts: Facts) -> Iterator[Key]:
    """The rows of the table, in the order of its columns."""
    for event in filter(is_administration, facts.events):
        for attribute, before, after in _pairs(event):
            yield (
                *(event["seq"], event["at"], event["qmgr"], event["kind"], event["cause"]),
                *(type_of(event), object_of(event), _record(event), attribute, before, after),
                event["target"] if event["kind"] in ("MOVE", "JOIN", "LEAVE") else None,
                event["detail"].get("messages"),
                *(event["user"], event["application"], event["connection"]),
                int(_is_security(event, attribute)),
                *(event["detail"].get("disposition"), event["detail"].get("member")),
            )


def _pairs(event: Row) -> Sequence[tuple[str | None, str | None, str | None]]:
    """What the event changed, each with the values before and after; one of None if nothing."""
    detail, kind = event["detail"], event["kind"]
    if kind == "CLOCK":
        return [("CLOCK", _moment(detail.get("from")), _moment(detail.get("to")))]
    if kind == "ACCESS":
        return [(event["cause"].upper(), detail.get("before"), detail.get("after"))]
    if kind not in OBJECTS:
        return [(None, None, None)]
    pairs = [
        (word, *map(_text, value))
        for word, value in detail.items()
        if isinstance(value, list) and len(value) == 2
    ]
    return pairs or [(None, None, None)]


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _moment(at: int | None) -> str | None:
    if at is None:
        return None
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)
    return moment.strftime("%Y-%m-%d %H:%M:%S.%fZ")


def _record(event: Row) -> str | None:
    """What tells the record from others of its profile, as it is written in a command."""
    if event["kind"] == "ACCESS":
        return None if event["target"] is None else f"USER({event['target']})"
    if event["target"] not in RECORDS or event["kind"] not in OBJECTS:
        return None
    detail = event["detail"]
    told = dict(detail.get("record", {}))
    for word in (*KINDS["AUTHREC"].identity, *KINDS["CHLAUTH"].identity):
        before, after = detail.get(word, (None, None))
        told.setdefault(word, before if after is None else after)
    words = (*KINDS["AUTHREC"].identity, *KINDS["CHLAUTH"].identity)
    return " ".join(f"{word}({told[word]})" for word in words if told[word]) or None


def _is_security(event: Row, attribute: str | None) -> bool:
    is_of_records = event["target"] in (*RECORDS, "AUTHINFO")
    return event["kind"] == "ACCESS" or is_of_records or attribute in SECURITY


def check_administration(built: dict[str, pa.Table], stores: list[Facts], now: int) -> None:
    same_rows(built["changes"], COLUMNS, (row for facts in stores for row in changes(facts)))
    actions: dict[Key, list[str | None]] = defaultdict(list)
    for facts in stores:
        for event in filter(is_administration, facts.events):
            who = (event["user"], event["application"])
            key = (event["qmgr"], hour_of(event), *who, event["kind"], type_of(event))
            actions[key].append(object_of(event))
    wanted = {key: [len(names), len({*names} - {None})] for key, names in actions.items()}
    by = "qmgr hour user application action type"
    same(built["activity"], by, "actions objects", wanted)
