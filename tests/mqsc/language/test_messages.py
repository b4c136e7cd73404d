"""The table of messages."""

from __future__ import annotations

import re

import mqsc
from mqsc.language.messages import TEXTS, message_line, message_text
from store import Message, open_store


def test_every_row_has_an_id_with_a_severity_and_a_sentence() -> None:
    wrong = [
        message_id
        for message_id, text in TEXTS.items()
        if not re.fullmatch(r"(AMQ|MQSC)\d{4}[IWES]", message_id)
        or not re.search(r"[.:-]$", text)
        or text != text.strip()
    ]
    assert wrong == []


def test_the_first_lines_that_mq_prints() -> None:
    """As in transcripts of runmqsc."""
    scripts = {
        "DEFINE QLOCAL(A) DESCR('" + 65 * "x" + "')": "AMQ8413E: String Length Error.",
        "DEFINE QLOCAL('A B')": "AMQ8424E: Error detected in a name keyword.",
        "DEFINE CHANNEL(A) CHLTYPE(SDR) XMITQ(X)": (
            "AMQ8214E: CONNAME parameter required with channel types SDR, RQSTR, CLNTCONN, CLUSSDR and CLUSRCVR."
        ),
        "PING QMGR": "AMQ8415I: Ping Queue Manager command complete.",
        "DELETE QLOCAL(FULL)": "AMQ8143E: IBM MQ queue not empty.",
        "START CHANNEL(CLIENT)": "AMQ9502E: Type of channel not suitable for action requested.",
    }
    with open_store("sqlite://") as store:
        qmgr = store.create_queue_manager("QM1")
        mqsc.run(qmgr, "DEFINE QLOCAL(FULL)\nDEFINE CHANNEL(CLIENT) CHLTYPE(CLNTCONN) CONNAME(a)")
        with qmgr.connect() as connection:
            connection.put1("FULL", Message(b"x"))
        found = {}
        for script in scripts:
            (reply,) = mqsc.run(qmgr, script)
            found[script] = f"{reply.message_id}: {reply.text.splitlines()[0]}"
    assert found == scripts


def test_inserts() -> None:
    assert message_text("AMQ8147E", "A") == "IBM MQ object A not found."
    assert message_text("MQSC0007I", "A", "3 to B") == "Messages moved from A: 3 to B."
    assert message_line("AMQ8118E", "QM1") == "AMQ8118E: IBM MQ queue manager 'QM1' does not exist."
