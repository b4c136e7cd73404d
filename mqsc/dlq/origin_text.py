"""Where a message without an MQDLH came from, as text and as JSON."""

from collections.abc import Iterator
from typing import Any

from mqsc.console.parameters import iso, iso_or_none
from mqsc.dlq.text_parts import target_text, texts_of
from mqsc.store.rules.message_origin import Backouts, Origin

REASONS, BACKOUT_CAUSES = texts_of("origin unknown"), texts_of("cause of a backout")


def reason_unknown(origin: Origin) -> str:
    """Why the origin is unknown; blank when it is known."""
    return (
        REASONS[origin.unknown].format(application=origin.application or "a program")
        if origin.unknown
        else ""
    )


def origin_text(origin: Origin) -> str:
    """The queue and the last backout, in a few words."""
    if origin.unknown:
        return "no MQDLH, origin unknown"
    return (
        f"from {target_text((origin.queue, origin.queue_manager))}{_last_backout(origin.backouts)}"
    )


def origin_lines(origin: Origin) -> Iterator[str]:
    """Who moved the message and who backed it out last, or why that is unknown."""
    if origin.unknown:
        yield f"   origin unknown: {reason_unknown(origin)}"
        return
    if origin.at is not None:
        yield f"   moved {iso(origin.at)}{by(origin.application)}, user {origin.user or '-'}"
    backouts = origin.backouts
    if backouts is None:
        yield f"   no backout on {origin.queue} is recorded"
        return
    yield (
        f"   last backed out on {origin.queue} {iso(backouts.at)}{by(backouts.application)}, "
        f"user {backouts.user or '-'}{BACKOUT_CAUSES.get(backouts.cause, '')}"
    )


def origin_row(origin: Origin | None) -> dict[str, Any] | None:
    """The keys of `origin` in JSON; None for a message with an MQDLH."""
    if origin is None:
        return None
    backouts = origin.backouts
    return {
        "queue": origin.queue or None,
        "queue_manager": origin.queue_manager or None,
        "unknown": origin.unknown,
        "moved_by": origin.application or None,
        "moved_by_user": origin.user or None,
        "moved_at": iso_or_none(origin.at),
        "backouts": 0 if backouts is None else backouts.times,
        "backed_out_by": None if backouts is None else backouts.application,
        "backed_out_by_user": None if backouts is None else backouts.user,
        "backed_out_at": None if backouts is None else iso(backouts.at),
        "backout_cause": None if backouts is None else backouts.cause,
    }


def _last_backout(backouts: Backouts | None) -> str:
    if backouts is None:
        return ""
    times = "once" if backouts.times == 1 else f"{backouts.times} times, last"
    return f", backed out {times}{by(backouts.application)}"


def by(application: str) -> str:
    """The end of a clause: by which application; blank if that is not known."""
    return f" by {application}" if application else ""
