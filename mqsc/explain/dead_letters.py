"""Explains the messages of the dead-letter queue handler and the keywords of rules tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from mqsc.dlq.keywords import KEYWORDS, Keyword
from mqsc.dlq.notices import TEXTS
from mqsc.explain.codes import Meaning, meanings_in
from mqsc.explain.explanation import Explanation, Part, inserts_shown

OF = "rules table of the dead-letter queue handler"
PLACES: Mapping[str, str] = {"control": "control data", "pattern": "pattern of a rule", "action": "action of a rule"}


def explain_notice(word: str) -> Iterator[Explanation]:
    """Explain a message of the handler."""
    notice_id = word.upper()
    if notice_id in TEXTS:
        meaning = _meanings()[notice_id]
        parts = (Part("cause", meaning.cause), Part("action", meaning.action))
        yield Explanation("message", notice_id, f"{notice_id}: {inserts_shown(TEXTS[notice_id])}", parts)


@cache
def _meanings() -> Mapping[str, Meaning]:
    return meanings_in("notices.csv")


def explain_table_keyword(word: str) -> Iterator[Explanation]:
    """Explain a keyword of rules tables."""
    row = KEYWORDS.get(word.upper())
    if row is not None:
        parts = (
            Part("of", f"{OF}, {PLACES[row.part]}"),
            Part("takes", row.type.wanted),
            Part("default", _default(row)),
            Part("field", row.source),
        )
        heading = f"{row.keyword}: {row.help}"
        yield Explanation("keyword", row.keyword, heading, tuple(part for part in parts if part.text))


def _default(row: Keyword) -> str:
    # ACTION, which every rule must have, and FWDQ, which FWD needs, have no default.
    return "" if row.default == "" and row.part == "action" and row.keyword != "FWDQM" else row.write(row.default)


def dead_letter_words() -> list[str]:
    """All words that this module explains."""
    return [*TEXTS, *KEYWORDS]
