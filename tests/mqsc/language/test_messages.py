"""The table of messages."""

from __future__ import annotations

import re

from mqsc.language.messages import TEXTS, message_line, message_text


def test_every_row_has_an_id_with_a_severity_and_a_sentence() -> None:
    wrong = [
        message_id
        for message_id, text in TEXTS.items()
        if not re.fullmatch(r"(AMQ|MQSC)\d{4}[IWES]", message_id)
        or not re.search(r"[.:-]$", text)
        or text != text.strip()
    ]
    assert wrong == []


def test_inserts() -> None:
    assert message_text("AMQ8147E", "A") == "IBM MQ object A not found."
    assert message_text("MQSC0007I", "A", "3 to B") == "Messages moved from A: 3 to B."
    assert message_line("AMQ8118E", "QM1") == "AMQ8118E: IBM MQ queue manager 'QM1' does not exist."
