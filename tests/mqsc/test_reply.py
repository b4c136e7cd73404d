"""Replies and diagnostics: messages with their texts, the closing lines of a run; text, JSON and
SARIF.
"""

from __future__ import annotations

import json
import re

import mqsc
from mqsc.diagnostic import Diagnostic, as_json, as_sarif
from mqsc.dlq.lint import TABLE_RULES
from mqsc.dlq.table_check import DESCRIPTIONS
from mqsc.language import reply
from mqsc.language.refusal import REASONS
from mqsc.language.reply import TEXTS, Answer, message_line, message_text
from mqsc.language.tally import Tally
from mqsc.store import Message
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.error import MQError
from mqsc.verbs import VERBS
from mqsc.verbs.analysis import VALUE_MESSAGES
from tests.mqsc.dlq.tables import check_table
from tests.rows import rows


def test_every_id_has_a_severity_and_a_sentence() -> None:
    used = {
        *reply.SUCCESS_MESSAGES.values(),
        *reply.FAILURE_MESSAGES.values(),
        *REASONS,
        *VALUE_MESSAGES.values(),
    }
    assert used <= set(TEXTS)
    for message_id, text in TEXTS.items():
        assert re.fullmatch(r"(AMQ|MQSC)\d{4}[IWES]", message_id)
        assert re.search(r"[.:-]$", text), message_id
        assert text == text.strip()


def test_every_object_has_an_answer_to_every_verb_it_takes() -> None:
    verbs = [verb for verb in VERBS.values() if verb.keyword != "DISPLAY"]
    taken = {
        (verb.keyword, kind.namespace)
        for verb in verbs
        for kinds in verb.objects.values()
        for kind in kinds
    }
    assert taken - {*reply.SUCCESS_MESSAGES} == set()


@rows(
    (MQRC.UNKNOWN_OBJECT_NAME, "AMQ8147E", "IBM MQ object Q.A not found."),
    (MQRC.OBJECT_IN_USE, "AMQ8148E", "IBM MQ object in use."),
    (MQRCCF.OBJECT_ALREADY_EXISTS, "AMQ8150E", "IBM MQ object already exists."),
    (MQRC.Q_FULL, "AMQ8101S", "IBM MQ error: 2053 MQRC_Q_FULL (Q.A)."),
)
def test_what_the_store_refuses(reason: int, message_id: str, text: str) -> None:
    answer = reply.failed(MQError(reason, "Q.A"))
    assert (answer.message_id, answer.text, answer.completion, answer.reason) == (
        message_id,
        text,
        2,
        int(reason),
    )


DONE, FAILED = Answer("AMQ8006I"), Answer("AMQ8147E", completion=2, reason=2085)
WRONG = Answer("AMQ8405I", completion=2, syntax_error=True)
NO_SYNTAX, ALL_DONE = "No commands have a syntax error.", "All valid MQSC commands were processed."


@rows(
    ([], ("No MQSC commands read.", NO_SYNTAX, ALL_DONE), 0),
    ([DONE], ("One MQSC command read.", NO_SYNTAX, ALL_DONE), 0),
    ([DONE, DONE], ("2 MQSC commands read.", NO_SYNTAX, ALL_DONE), 0),
    ([WRONG], ("One MQSC command read.", "One command has a syntax error.", ALL_DONE), 10),
    (
        [WRONG, WRONG, DONE],
        ("3 MQSC commands read.", "2 commands have a syntax error.", ALL_DONE),
        10,
    ),
    (
        [FAILED],
        ("One MQSC command read.", NO_SYNTAX, "One valid MQSC command could not be processed."),
        10,
    ),
    (
        [FAILED, FAILED],
        ("2 MQSC commands read.", NO_SYNTAX, "2 valid MQSC commands could not be processed."),
        10,
    ),
)
def test_closing_lines(answers: list[Answer], lines: tuple[str, ...], code: int) -> None:
    tally = Tally()
    for answer in answers:
        tally.count(answer)
    assert (tally.lines(), tally.exit_code) == (lines, code)


# As in transcripts of runmqsc.
@rows(
    ("DEFINE QLOCAL(A) DESCR('" + 65 * "x" + "')", "AMQ8413E: String Length Error."),
    ("DEFINE QLOCAL('A B')", "AMQ8424E: Error detected in a name keyword."),
    (
        "DEFINE CHANNEL(A) CHLTYPE(SDR) XMITQ(X)",
        "AMQ8214E: CONNAME parameter required with channel types SDR, RQSTR, CLNTCONN, CLUSSDR and "
        "CLUSRCVR.",
    ),
    ("PING QMGR", "AMQ8415I: Ping Queue Manager command complete."),
    ("DELETE QLOCAL(FULL)", "AMQ8143E: IBM MQ queue not empty."),
    ("START CHANNEL(CLIENT)", "AMQ9502E: Type of channel not suitable for action requested."),
)
def test_the_first_lines_that_mq_prints(qmgr: QueueManager, command: str, line: str) -> None:
    mqsc.run(qmgr, "DEFINE QLOCAL(FULL)\nDEFINE CHANNEL(CLIENT) CHLTYPE(CLNTCONN) CONNAME(a)")
    with qmgr.connect() as connection:
        connection.put1("FULL", Message(b"x"))
    (found,) = mqsc.run(qmgr, command)
    assert f"{found.message_id}: {found.text.splitlines()[0]}" == line


def test_inserts() -> None:
    assert message_text("AMQ8147E", "A") == "IBM MQ object A not found."
    assert message_text("MQSC0007I", "A", "3 to B") == "Messages moved from A: 3 to B."
    assert message_line("AMQ8118E", "QM1") == "AMQ8118E: IBM MQ queue manager 'QM1' does not exist."


DIAGNOSTICS = check_table(["ACTION(RETRY)\n"], "rules.txt").diagnostics


def test_text_and_json_have_everything() -> None:
    message = "WAIT was already given in line 3, column 1"
    diagnostic = Diagnostic("AMQ8753", "error", "a.rul", 3, 14, message, "WAIT only once")
    assert str(diagnostic) == f"a.rul:3:14: error AMQ8753: {message}; suggestion: WAIT only once"
    (found,) = DIAGNOSTICS
    assert as_json(found) == {
        **{"rule_id": "DLQ03", "severity": "warning", "file": "rules.txt", "line": 1, "column": 8},
        "message": "messages that no rule moves or discards stay on the queue forever",
        "right": "ACTION(FWD) FWDQ(queue) HEADER(YES) as the last rule",
    }


def test_sarif_names_rule_place_and_level() -> None:
    """A diagnostic on the whole file has no region."""
    sarif = as_sarif(DIAGNOSTICS, DESCRIPTIONS, "1.2")
    (run,) = sarif["runs"]
    (result,) = run["results"]
    assert (sarif["version"], run["tool"]["driver"]["version"]) == ("2.1.0", "1.2")
    last = [rule["id"] for rule in run["tool"]["driver"]["rules"]][-len(TABLE_RULES) :]
    assert (last, result["ruleId"], result["level"]) == (
        [each.rule_id for each in TABLE_RULES],
        "DLQ03",
        "warning",
    )
    (location,) = result["locations"]
    region = {"startLine": 1, "startColumn": 8}
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "rules.txt"},
        "region": region,
    }
    assert json.loads(json.dumps(sarif)) == sarif
    empty = as_sarif(check_table([""], "empty").diagnostics, DESCRIPTIONS, "1.2")
    assert "region" not in empty["runs"][0]["results"][0]["locations"][0]["physicalLocation"]


@rows(
    ("", "-"),
    ("rules/a.rul", "rules/a.rul"),
    ("standard input", "standard%20input"),
    ("50%:é.rul", "50%25%3A%C3%A9.rul"),
    ("/etc/my rules.rul", "file:///etc/my%20rules.rul"),
)
def test_sarif_names_files_by_uri_and_counts_characters(file: str, uri: str) -> None:
    (run,) = as_sarif(check_table([""], file).diagnostics, DESCRIPTIONS, "1.2")["runs"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": uri}
    assert run["columnKind"] == "unicodeCodePoints"
