"""Error logs as JSON, an object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime

from mqsc.imports.error_log import INSERTS, LINE, Damaged, LogRecord, NotARecordError
from mqsc.imports.source_text import LocalTimes, Opened, Piece, json_text, microseconds, pieces

_LEVELS = {"INFO": "I", "WARNING": "W", "ERROR": "E", "SEVERE": "S", "FATAL": "T"}


def json_records(
    file: Opened,
    times: LocalTimes,
    encoding: str,
    day_first: bool = False,
) -> Iterator[LogRecord | Damaged]:
    """The records of an error log in JSON; those of a container that are no messages of MQ are
    left out.
    """
    for piece in pieces(file, LINE):
        text = json_text(piece.data, encoding).strip()
        if not text:
            continue
        try:
            # `docker compose logs` and others put a name or a time before each object.
            record = json.loads(text[text.find("{") :], strict=False)
            if not isinstance(record, dict):
                raise ValueError
        except (ValueError, RecursionError):
            yield Damaged(piece, "not a JSON object")
            continue
        values = {str(name).lower(): value for name, value in record.items()}
        if values.get("type", "mq_log") == "mq_log":
            try:
                yield _json_record(piece, values)
            except NotARecordError as fault:
                yield Damaged(piece, str(fault))


def _json_record(piece: Piece, values: Mapping[str, object]) -> LogRecord:
    def text(name: str) -> str:
        value = values.get(name)
        return "" if value is None else str(value).strip()

    id, time = text("ibm_messageid"), text("ibm_datetime")
    at = None
    with suppress(ValueError, OverflowError):
        moment = datetime.fromisoformat(time)
        at = microseconds(moment.replace(tzinfo=moment.tzinfo or UTC))
    if not id or at is None:
        raise NotARecordError(
            "an object without the number of a message (ibm_messageId) or its time (ibm_datetime)",
        )
    inserts = {
        name: value for name in INSERTS if (value := text(f"ibm_{name.lower()}")) not in ("", "0")
    }
    words = text("message")
    return LogRecord(
        piece,
        id,
        words.removeprefix(f"{id}: "),
        time,
        at,
        "",
        "millisecond",
        text("ibm_servername"),
        id[7:] or _LEVELS.get(text("loglevel"), ""),
        inserts,
        text("ibm_processname"),
        text("ibm_processid"),
        text("ibm_threadid"),
        text("ibm_username"),
        text("host"),
    )
