"""Explains the messages of the dead-letter queue handler and the keywords of rules tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mqsc.dlq.keywords import KEYWORDS, Keyword
from mqsc.dlq.notices import CATALOG
from mqsc.explain.explanation import Explanation, Part, inserts_shown, parts_of

OF = "rules table of the dead-letter queue handler"
PLACES: Mapping[str, str] = {"control": "control data", "pattern": "pattern of a rule", "action": "action of a rule"}


def explain_notice(word: str) -> Iterator[Explanation]:
    """Explain a message of the handler."""
    notice_id = word.upper()
    row = CATALOG.get(notice_id)
    if row is not None:
        parts = (Part("cause", row.cause), Part("action", row.action))
        yield Explanation("message", notice_id, f"{notice_id}: {inserts_shown(row.text)}", parts)


def explain_table_keyword(word: str) -> Iterator[Explanation]:
    """Explain a keyword of rules tables."""
    row = KEYWORDS.get(word.upper())
    if row is not None:
        of, default = f"{OF}, {PLACES[row.part]}", _default(row)
        parts = parts_of(of=of, takes=row.type.wanted, default=default, field=row.source)
        yield Explanation("keyword", row.keyword, f"{row.keyword}: {row.help}", parts)


def _default(row: Keyword) -> str:
    # ACTION, which every rule must have, and FWDQ, which FWD needs, have no default.
    return "" if row.default == "" and row.part == "action" and row.keyword != "FWDQM" else row.write(row.default)


def dead_letter_words() -> list[str]:
    """All words that this module explains."""
    return [*CATALOG, *KEYWORDS]
