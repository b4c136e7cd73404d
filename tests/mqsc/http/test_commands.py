"""Commands as text and in JSON (rest §3)."""

from __future__ import annotations

from typing import Any

import pytest

import mqsc
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQOO
from mqsc.store.sqlite.database import Reading
from tests.mqsc.http.client import APP, RDR, V1, V2, V3, Client, basic

PATH = f"{V2}/admin/action/qmgr/QM1/mqsc"
OK, FAILED = (0, 0), (2, 3008)


def shown(qmgr: QueueManager, command: str) -> dict[str, Any]:
    """The row of a DISPLAY."""
    (row,) = mqsc.run(qmgr, command, check=True)[0].rows
    return row


def parameters(answer: Any) -> list[dict[str, Any]]:
    return [item["parameters"] for item in answer.items]


def test_w13_a_display_as_text(client: Client) -> None:
    answer = client.text("DISPLAY QLOCAL(Q1) CURDEPTH")
    assert answer.items == [
        {
            "completionCode": 0,
            "reasonCode": 0,
            "text": ["AMQ8409I: Display Queue details.   QUEUE(Q1)   TYPE(QLOCAL)   CURDEPTH(0)"],
        },
    ]
    assert answer.overall == OK


def test_w14_nothing_found_as_text(client: Client) -> None:
    answer = client.text("DISPLAY QLOCAL(NO)")
    (item,) = answer.items
    assert (answer.status, item["completionCode"], item["reasonCode"]) == (200, 2, 2085)
    assert item["text"][0].startswith("AMQ8147E: ")
    assert answer.overall == FAILED


def test_w15_no_command_of_mqsc(client: Client) -> None:
    answer = client.text("FOO")
    (item,) = answer.items
    assert (item["completionCode"], item["reasonCode"]) == (2, 3097)
    assert item["text"][0].startswith("AMQ8426I: ")
    assert "'FOO' is not an MQSC verb" in item["text"][0]
    assert answer.overall == FAILED


@pytest.mark.parametrize(
    "command",
    [
        "PING QMGR\nPING QMGR",
        "PING QMGR; PING QMGR",
        "",
        " " * 40_000,
        "END",
        "* a comment",
        "PING +\nQMGR",
        "PING QMGR\n",
    ],
)
def test_w16_exactly_one_command(client: Client, command: str) -> None:
    expected = (200 if command == "PING QMGR\n" else 400,)
    assert (client.text(command).status,) == expected


def test_w17_a_display_in_json(client: Client) -> None:
    answer = client.command("display", "qlocal", "Q1", responseParameters=["curdepth", "trigger"])
    expected = {"queue": "Q1", "type": "QLOCAL", "curdepth": 0, "trigger": "NO"}
    assert parameters(answer) == [expected]
    assert answer.overall == OK


def test_w18_many_queues(client: Client, qmgr: QueueManager) -> None:
    """More than are held at a time."""
    commands = "\n".join(f"DEFINE QLOCAL(MANY.{number:04})" for number in range(450))
    mqsc.run(qmgr, commands, check=True)
    answer = client.command("DISPLAY", "QUEUE", "MANY.*", responseParameters=["all"])
    names = [each["queue"] for each in parameters(answer)]
    assert names == [f"MANY.{number:04}" for number in range(450)]
    assert answer.overall == OK
    assert answer.headers["Transfer-Encoding"] == "chunked"


def test_w19_w20_names_keep_their_case_and_replace_is_a_word(client: Client) -> None:
    given = {"maxdepth": "10", "replace": "yes"}
    assert client.command("define", "qlocal", "new.q", parameters=given).overall == OK
    again = client.command("define", "qlocal", "new.q", parameters={"replace": "no"})
    assert (again.items[0]["completionCode"], again.items[0]["reasonCode"]) == (2, 4001)
    assert again.overall == FAILED
    answer = client.command("display", "queue", "new.q", responseParameters=["maxdepth"])
    assert parameters(answer) == [{"queue": "new.q", "type": "QLOCAL", "maxdepth": 10}]


def test_w21_words_of_the_catalog_in_any_case(client: Client, qmgr: QueueManager) -> None:
    made = client.command("define", "channel", "APP", parameters={"chltype": "svrconn"})
    assert made.overall == OK
    assert shown(qmgr, "DISPLAY CHANNEL(APP)")["CHLTYPE"] == "SVRCONN"


@pytest.mark.parametrize(
    "description",
    ["it's \"x\" 'y' \\ é 😀 ')ALTER QMGR", "') PUT(DISABLED", "a+", "* b", "${X}", "a\nb;c"],
)
def test_w22_text_is_data(client: Client, qmgr: QueueManager, description: str) -> None:
    before = shown(qmgr, "DISPLAY QMGR ALTTIME DESCR")
    given = {"descr": description}
    assert client.command("alter", "qlocal", "Q1", parameters=given).overall == OK
    answer = client.command("display", "qlocal", "Q1", responseParameters=["descr", "put"])
    (row,) = parameters(answer)
    assert (row["descr"], row["put"]) == (description, "ENABLED")
    assert shown(qmgr, "DISPLAY QMGR ALTTIME DESCR") == before


def test_w23_lists(client: Client) -> None:
    for names in (["A", "B"], "A"):
        given = {"names": names, "replace": True}
        assert client.command("define", "namelist", "N", parameters=given).overall == OK
        answer = client.command("display", "namelist", "N", responseParameters=["names"])
        assert parameters(answer)[0]["names"] == ([names] if isinstance(names, str) else names)


def test_w24_where(client: Client, qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.put1("Q1", mqsc.Message(b"tea"))
    given = {"where": "CURDEPTH GT 0"}
    answer = client.command("display", "qlocal", "Q*", parameters=given)
    assert [each["queue"] for each in parameters(answer)] == ["Q1"]
    wrong = client.command("display", "qlocal", "*", parameters={"where": "NONSENSE"})
    assert (wrong.items[0]["completionCode"], wrong.overall) == (2, FAILED)


def test_w25_alter_channel_takes_the_type_of_the_channel(
    client: Client, qmgr: QueueManager
) -> None:
    mqsc.run(
        qmgr,
        "DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME('h')\nDEFINE CHANNEL(C) CHLTYPE(SVRCONN)",
        check=True,
    )
    assert client.command("alter", "channel", "C", parameters={"descr": "new"}).overall == OK
    rows = mqsc.run(qmgr, "DISPLAY CHANNEL(C) CHLTYPE(ALL) DESCR")[0].rows
    assert {row["CHLTYPE"]: row["DESCR"] for row in rows} == {"SVRCONN": "new", "CLNTCONN": ""}
    assert client.text("ALTER CHANNEL(C) DESCR('x')").overall == FAILED


def test_w26_the_queue_manager_has_no_name(client: Client) -> None:
    assert parameters(client.command("display", "qmgr"))[0]["qmname"] == "QM1"
    assert client.command("display", "qmgr", "QM1").status == 400


def test_w27_some_displays_are_text_only(client: Client) -> None:
    assert client.command("display", "security").status == 400
    assert client.text("DISPLAY SECURITY").status == 200


def test_w28_handles_are_nested(client: Client, qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        handles = [connection.open("Q1", int(MQOO.INPUT_SHARED)) for _ in range(2)]
        given = {"type": "handle"}
        answer = client.command("display", "qstatus", "Q1", parameters=given)
        (row,) = parameters(answer)
        assert row["queue"] == "Q1"
        assert len(row["objects"]) == len(handles) == 2
        conns = client.command("display", "conn", "*", parameters=given)
        nested = [each for each in parameters(conns) if len(each["objects"]) == 2]
        assert len(nested) == 1


@pytest.mark.parametrize("word", ["all", "*"])
def test_a_connection_with_its_handles_is_one_item(
    client: Client, qmgr: QueueManager, word: str
) -> None:
    with qmgr.connect(application="billing") as connection:
        connection.open("Q1", int(MQOO.INPUT_SHARED))
        answer = client.command(
            "display", "conn", "*", parameters={"type": word}, responseParameters=["all"]
        )
    (row,) = [each for each in parameters(answer) if each.get("appltag") == "billing"]
    assert row["type"] == "CONN"
    assert [(each["type"], each["objname"]) for each in row["objects"]] == [("HANDLE", "Q1")]


def test_a_suggestion_ends_with_its_question_mark(client: Client) -> None:
    answer = client.command("display", "qlocal", "Q1", responseParameters=["curdepht"])
    assert answer.items[0]["message"][1].endswith("did you mean CURDEPTH?")


def test_w29_no_connection(client: Client) -> None:
    answer = client.command("display", "conn", "FFFF", parameters={"type": "handle"})
    assert answer.items[0]["completionCode"] == 2
    assert answer.overall == FAILED


def test_w30_the_command_server_in_json(client: Client) -> None:
    answer = client.command("display", "cmdserv")
    assert [*answer.items[0]] == ["completionCode", "reasonCode", "message"]
    assert answer.overall == OK


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"type": "RUNCOMMAND", "parameters": {"command": "PING QMGR"}}, "type"),
        ({"type": "runCommandJSON", "command": "ping", "qualifier": "qmgr", "x": 1}, "'x'"),
        (
            {
                "type": "runCommandJSON",
                "command": "alter",
                "qualifier": "qmgr",
                "parameters": {"descr": {"a": 1}},
            },
            "descr",
        ),
        (
            {
                "type": "runCommandJSON",
                "command": "define",
                "qualifier": "qlocal",
                "name": "Q2",
                "responseParameters": ["all"],
            },
            "responseParameters",
        ),
        (
            {"type": "runCommandJSON", "command": "alter", "qualifier": "qmgr", "parameters": 5},
            "parameters",
        ),
        ({"type": "runCommandJSON", "command": 5, "qualifier": "qmgr"}, "command"),
        ({"type": "runCommandJSON", "qualifier": "qmgr"}, "command"),
        ({"type": "runCommand", "parameters": {"command": "PING QMGR", "more": 1}}, "parameters"),
        ({"type": "runCommand", "command": "x", "parameters": {"command": "PING QMGR"}}, "command"),
        ({"parameters": {}}, "type"),
    ],
)
def test_w31_a_body_that_is_no_command(client: Client, body: object, named: str) -> None:
    answer = client("POST", PATH, body)
    assert answer.error == (400, "MQWB0106E", 0, 0)
    assert named in answer.json["error"][0]["message"]


VALUES = [
    ("maxdepth", 5.5),
    ("maxdepth", True),
    ("descr", 5),
    ("trigger", "maybe"),
    ("trigger", 1),
    ("maxdepth", ["1", "2"]),
    ("maxdepth", None),
    ("maxdepth", [{}]),
]


@pytest.mark.parametrize("value", [None, {}])
def test_a_value_is_checked_before_the_command(client: Client, value: object) -> None:
    answer = client.command("display", "nonsense", "Q1", parameters={"any": value})
    assert answer.error == (400, "MQWB0106E", 0, 0)


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_a_value_of_another_type(client: Client, name: str, value: object) -> None:
    answer = client.command("alter", "qlocal", "Q1", parameters={name: value})
    assert answer.error == (400, "MQWB0106E", 0, 0)
    assert name in answer.json["error"][0]["message"]


@pytest.mark.parametrize(
    "body",
    [
        b'{"type":"runCommand","type":"runCommand","parameters":{"command":"PING QMGR"}}',
        b'{"type":NaN}',
        b'{"type":"x"} x',
        b"\xef\xbb\xbf{}",
        b"\xff\xfe",
        b'{"a":' * 40 + b"1" + b"}" * 40,
        b"[" * 100_000,
        b'{"type":"\\ud800"}',
        b'{"type":' + b"9" * 5000 + b"}",
        b"",
    ],
)
def test_w32_json_is_read_strictly(client: Client, body: bytes) -> None:
    answer = client("POST", PATH, body, Content_Type="application/json")
    assert answer.error == (400, "MQWB0106E", 0, 0)


def test_w33_without_the_header_against_forgery(client: Client, qmgr: QueueManager) -> None:
    body = b'{"type":"runCommand","parameters":{"command":"DELETE QLOCAL(Q1)"}}'
    headers = {"Authorization": basic("adm"), "Content-Type": "application/json"}
    assert client.send("POST", PATH, body, headers).error == (403, "MQWB0100E", 0, 0)
    assert shown(qmgr, "DISPLAY QLOCAL(Q1)")
    for method, path in (
        ("POST", f"{V2}/messaging/qmgr/QM1/queue/Q1/message"),
        ("DELETE", f"{V2}/messaging/qmgr/QM1/queue/Q1/message"),
        ("DELETE", f"{V2}/login"),
    ):
        assert client.send(method, path, None, headers).error == (403, "MQWB0100E", 0, 0)


def test_w34_the_header_may_be_empty(client: Client) -> None:
    assert client.text("PING QMGR").overall == OK


def test_w35_a_reader_only_displays(client: Client, qmgr: QueueManager) -> None:
    assert client.text("DISPLAY QLOCAL(Q1)", user=RDR).overall == OK
    assert client.text("PING QMGR", user=RDR).overall == OK
    assert client.command("display", "qmgr", user=RDR).overall == OK
    refused = client.text("ALTER QLOCAL(Q1) MAXDEPTH(1)", user=RDR)
    assert refused.error == (403, "MQWB0103E", 0, 0)
    assert shown(qmgr, "DISPLAY QLOCAL(Q1) MAXDEPTH")["MAXDEPTH"] == 5000


def test_w36_a_user_does_what_the_authorities_allow(client: Client, store: Store) -> None:
    answer = client.command("define", "qlocal", "MINE", user=APP)
    assert (answer.status, answer.overall) == (200, FAILED)
    assert answer.items[0]["reasonCode"] == 2035
    assert answer.items[0]["message"][0].startswith("AMQ8135E")
    events = [event for event in events_of(store) if event[0] == "REFUSE"]
    assert events[-1] == ("REFUSE", APP, "mqsc serve")
    visible = parameters(client.command("display", "queue", "*", user=APP))
    assert {each["queue"] for each in visible} == {"Q1", "A1"}


def events_of(store: Store) -> list[tuple[str, str, str]]:
    """Kind, user and application of the events."""
    with Reading(store.database) as reading:
        rows = reading.execute("SELECT kind, user, application FROM event ORDER BY seq", ())
        return [tuple(row) for row in rows.fetchall()]


def test_the_history_says_who_did_it(client: Client, store: Store) -> None:
    assert client.text("DEFINE QLOCAL(MADE)").overall == OK
    assert ("DEFINE", "adm", "mqsc serve") in events_of(store)


def test_w37_a_queue_manager_that_has_ended(client: Client, store: Store) -> None:
    store.queue_manager("QM2").end()
    assert client.text("DISPLAY QMGR", "QM2").error == (503, "MQWB0010E", 2, 2059)


def test_w38_w39_a_gateway(client: Client) -> None:
    answer = client.text("DISPLAY QMGR", "QM2", ibm_mq_rest_gateway_qmgr="QM1")
    assert "QMNAME(QM2)" in answer.items[0]["text"][0]
    assert answer.headers["ibm-mq-rest-gateway-qmgr"] == "QM1"
    refused = client.text("DISPLAY QMGR", "QM2", ibm_mq_rest_gateway_qmgr="NOPE")
    assert refused.error == (404, "MQWB0009E", 2, 2058)


def test_w40_resources_of_v1(client: Client) -> None:
    assert client("GET", f"{V2}/admin/qmgr/QM1/queue").error == (404, "MQWB0116E", 0, 0)
    for kind in ("queue", "channel", "subscription", "queue/Q1"):
        answer = client("GET", f"{V1}/admin/qmgr/QM1/{kind}")
        assert answer.error == (501, "MQSC0606E", 0, 0)
        assert f"'{kind.partition('/')[0]}'" in answer.json["error"][0]["message"]
        asked = client("GET", f"{V1}/admin/qmgr/QM1/{kind}?attributes=storage.*&status=*")
        assert asked.error == (501, "MQSC0606E", 0, 0)
    for method, path in (("POST", "queue"), ("PATCH", "queue/Q1"), ("DELETE", "queue/Q1")):
        assert client(method, f"{V1}/admin/qmgr/QM1/{path}").error == (501, "MQSC0606E", 0, 0)


def test_w50_file_transfer(client: Client) -> None:
    for path in ("agent", "mft/x", "transfer", "monitor"):
        assert client("GET", f"{V3}/admin/{path}").error == (403, "MQWB0400E", 0, 0)


def test_unknown_names_of_verbs_and_types(client: Client) -> None:
    for verb, noun in (("frobnicate", "qlocal"), ("display", "nonsense"), ("", ""), ("a b", "(x)")):
        answer = client.command(verb, noun, "X")
        assert (answer.status, answer.overall) == (200, FAILED)


def test_secrets_are_not_echoed(client: Client) -> None:
    given = {
        "authtype": "IDPWLDAP",
        "conname": "h",
        "ldappwd": "hunter2" * 20,
        "nonsense": "hunter2",
    }
    answer = client.command("define", "authinfo", "LDAP", parameters=given)
    assert answer.overall == FAILED
    assert b"hunter2" not in answer.body


def test_several_messages_of_a_command_are_one_item(client: Client) -> None:
    answer = client.command("define", "topic", "T", parameters={"topicstr": "/t"})
    (item,) = answer.items
    assert item["message"][0].startswith("AMQ8690I")
    assert not any("\n" in each for each in item["message"])


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("FOO QLOCAL(A)", ["ALTER CLEAR DEFINE DELETE DISPLAY ", "'FOO' is not an MQSC verb."]),
        ("DISPLYA QLOCAL(A)", ["did you mean DISPLAY?"]),
        ("CLEAR QMGR", ["below:-   CLEAR QMGR   ", "'QMGR'; it takes QLOCAL, TOPICSTR."]),
        ("CLEAR QLOCL(A)", ["below:-   CLEAR QLOCL   ", "'QLOCL'; did you mean QLOCAL?"]),
        ("CLEAR", ["CLEAR QLOCAL CLEAR TOPICSTR", "CLEAR needs a type of object."]),
    ],
)
def test_a_wrong_verb_or_qualifier_is_answered_with_the_right_ones(
    client: Client, command: str, said: list[str]
) -> None:
    answer = client.text(command)
    (item,) = answer.items
    assert [each for each in said if each not in item["text"][0]] == []
    assert (item["reasonCode"], answer.overall) == (3097, FAILED)
    assert " END" not in item["text"][0]
    verb, _, rest = command.partition(" ")
    if rest:
        in_json = client.command(verb.lower(), rest.partition("(")[0].lower(), "A")
        assert said[-1] in in_json.items[0]["message"][-1]
        assert in_json.overall == FAILED


def test_a_refusal_shows_no_secret(client: Client) -> None:
    text = "DEFINE CHANNEL(C) CHLTYPE(SDR) PASSWORD(geheim) WRONG(1)"
    (item,) = client.text(text).items
    assert "geheim" not in item["text"][0]
    assert "WRONG" in item["text"][0]
