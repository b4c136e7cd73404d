"""Explains the messages of the dead-letter queue handler and the keywords of rules tables."""

from collections.abc import Iterator, Mapping

from mqsc.dlq.keywords import KEYWORDS, Keyword
from mqsc.dlq.notices import CATALOG
from mqsc.language.explanation import Explanation, Part, inserts_shown, parts_of

OF = "rules table of the dead-letter queue handler"
PLACES: Mapping[str, str] = {
    "control": "control data",
    "pattern": "pattern of a rule",
    "action": "action of a rule",
}


def explain_notice(word: str) -> Iterator[Explanation]:
    """Explain a message of the handler, also with the severity letter of runmqdlq."""
    notice_id = word.upper()
    if notice_id.startswith("AMQ") and notice_id[:-1] in CATALOG:
        notice_id = notice_id[:-1]
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


def _default(attribute: Keyword) -> str:
    # ACTION, which every rule must have, and FWDQ, which FWD needs, have no default.
    return (
        ""
        if attribute.default == "" and attribute.part == "action" and attribute.keyword != "FWDQM"
        else attribute.write(attribute.default)
    )
