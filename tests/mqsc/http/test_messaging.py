"""Messages over REST (rest §5)."""

from __future__ import annotations

import subprocess
import sys
from http.client import HTTPConnection
from threading import Thread

import pytest

import mqsc
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQMT, MQOO, MQPER
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import FrozenClock
from mqsc.store.message import GetMessageOptions
from tests.mqsc.http.client import APP, CSRF, RDR, V1, V2, V3, Client, basic

QUEUE = "/messaging/qmgr/QM1/queue/Q1"
MESSAGE, LIST = f"{QUEUE}/message", f"{QUEUE}/messagelist"
BROWSE = int(MQOO.BROWSE)
IDENTIFIER = "0123456789abcdef" * 3
TEXT = MessageDescriptor(format="MQSTR", coded_char_set_id=1208)


def depth(qmgr: QueueManager, queue: str = "Q1") -> int:
    (row,) = mqsc.run(qmgr, f"DISPLAY QLOCAL({queue}) CURDEPTH")[0].rows
    return int(row["CURDEPTH"])


def stored(qmgr: QueueManager) -> mqsc.Message:
    """The first message on Q1, which stays there."""
    with qmgr.connect() as connection:
        handle = connection.open("Q1", BROWSE)
        return handle.get(GetMessageOptions(int(mqsc.MQGMO.BROWSE_FIRST)))


def define(qmgr: QueueManager, text: str) -> None:
    mqsc.run(qmgr, text, check=True)


def test_w51_w52_put_browse_and_get(client: Client, qmgr: QueueManager) -> None:
    answer = client("POST", V2 + MESSAGE, b"hello", user=APP)
    assert (answer.status, answer.body) == (201, b"")
    identifier = answer.headers["ibm-mq-md-messageId"]
    assert (len(identifier), identifier) == (48, identifier.lower())
    descriptor = stored(qmgr).descriptor
    assert descriptor.user_identifier == APP
    assert (descriptor.format, descriptor.coded_char_set_id) == ("MQSTR", 1208)
    assert descriptor.persistence == MQPER.NOT_PERSISTENT
    bodies = [
        client(method, V2 + MESSAGE, user=APP) for method in ("GET", "GET", "DELETE", "DELETE")
    ]
    assert [(each.status, each.body) for each in bodies] == [
        (200, b"hello"),
        (200, b"hello"),
        (200, b"hello"),
        (204, b""),
    ]
    assert bodies[0].headers["Content-Type"] == "text/plain; charset=utf-8"
    assert bodies[0].headers["ibm-mq-md-messageId"] == identifier


def test_w53_the_fields_of_the_descriptor(client: Client, qmgr: QueueManager) -> None:
    headers = {
        "ibm_mq_md_persistence": "persistent",
        "ibm_mq_md_expiry": "5000",
        "ibm_mq_md_replyTo": "R@QM2",
        "ibm_mq_md_correlationId": IDENTIFIER,
    }
    assert client("POST", V2 + MESSAGE, b"x", **headers).status == 201
    descriptor = stored(qmgr).descriptor
    assert (descriptor.expiry, descriptor.persistence) == (50, MQPER.PERSISTENT)
    assert (descriptor.reply_to_q, descriptor.reply_to_q_mgr) == ("R", "QM2")
    assert (descriptor.msg_type, descriptor.correl_id.hex()) == (MQMT.REQUEST, IDENTIFIER)
    answer = client("GET", V2 + MESSAGE)
    for name, value in headers.items():
        assert answer.headers[name.replace("_", "-")] == value
    found = client("GET", f"{V2}{MESSAGE}?correlationId={IDENTIFIER.upper()}")
    assert found.status == 200
    assert client("GET", f"{V2}{MESSAGE}?correlationId={'ab' * 24}").status == 204


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ibm-mq-md-expiry", "0"),
        ("ibm-mq-md-expiry", "-1"),
        ("ibm-mq-md-expiry", "x"),
        ("ibm-mq-md-expiry", "99999999999999999999"),
        ("ibm-mq-md-expiry", "²"),
        ("ibm-mq-md-persistence", "maybe"),
        ("ibm-mq-md-correlationId", IDENTIFIER[1:]),
        ("ibm-mq-md-replyTo", "a b"),
        ("ibm-mq-md-replyTo", "R@"),
    ],
)
def test_w54_a_header_with_a_wrong_value(
    client: Client, qmgr: QueueManager, name: str, value: str
) -> None:
    answer = client("POST", V2 + MESSAGE, b"x", **{name: value})
    assert answer.error == (400, "MQWB0302E", 0, 0)
    assert name in answer.json["error"][0]["message"]
    assert depth(qmgr) == 0


@pytest.mark.parametrize("type_", ["image/png", "text/plain; charset=latin1", "", "text", ";"])
def test_w55_other_content_types(client: Client, type_: str) -> None:
    answer = client("POST", V2 + MESSAGE, b"x", Content_Type=type_)
    assert answer.error == (415, "MQWB0306E", 0, 0)


@pytest.mark.parametrize(
    "type_", ["text/html", "application/json", "application/xml;charset=UTF-8", "text/xml"]
)
def test_the_content_types_of_text(client: Client, type_: str) -> None:
    assert client("POST", V2 + MESSAGE, b"", Content_Type=type_).status == 201
    assert client("DELETE", V2 + MESSAGE).body == b""


def test_w56_a_body_that_is_not_utf_8(client: Client, qmgr: QueueManager) -> None:
    answer = client("POST", V2 + MESSAGE, b"a\xff")
    assert answer.error == (400, "MQWB0106E", 0, 0)
    assert "byte 2" in answer.json["error"][0]["message"]
    assert depth(qmgr) == 0


def test_w57_priorities_of_v3(client: Client, qmgr: QueueManager) -> None:
    assert client("POST", V3 + MESSAGE, b"x", ibm_mq_md_priority="7").status == 201
    assert stored(qmgr).descriptor.priority == 7
    refused = client("POST", V3 + MESSAGE, b"x", ibm_mq_md_priority="10")
    assert refused.error == (400, "MQWB0302E", 0, 0)
    assert client("DELETE", V3 + MESSAGE).headers["ibm-mq-md-priority"] == "7"
    assert client("POST", V2 + MESSAGE, b"x", ibm_mq_md_priority="10").status == 201


def test_w58_properties_of_v3(client: Client, qmgr: QueueManager) -> None:
    sent = 'color;string;"red", n;integer;5'
    assert client("POST", V3 + MESSAGE, b"x", ibm_mq_usr=sent).status == 201
    with qmgr.connect() as connection:
        found = connection.open("Q1", BROWSE, selection="color = 'red' AND n > 4")
        assert found.get(GetMessageOptions(int(mqsc.MQGMO.BROWSE_FIRST))).body[:4] == b"RFH "
    answer = client("DELETE", V3 + MESSAGE)
    assert (answer.body, answer.headers["ibm-mq-usr"]) == (b"x", sent)


PROPERTIES = [
    "color",
    "color;string;red",
    'n;integer;"5"',
    "n;integer;x",
    "n;integer;99999999999",
    "a b;integer;1",
    "x;y;z",
    "n;byte;1,",
    "1n;byte;1",
    'JMSMessageID;string;"x"',
]


@pytest.mark.parametrize("text", PROPERTIES)
def test_properties_that_are_none(client: Client, qmgr: QueueManager, text: str) -> None:
    answer = client("POST", V3 + MESSAGE, b"x", ibm_mq_usr=text)
    assert answer.error == (400, "MQWB0302E", 0, 0)
    assert depth(qmgr) == 0


def test_w59_a_correlation_identifier_of_an_application(client: Client, qmgr: QueueManager) -> None:
    assert client("POST", V3 + MESSAGE, b"x", ibm_mq_md_correlationId="order-1").status == 201
    assert stored(qmgr).descriptor.correl_id == b"order-1".ljust(24, b"\0")
    answer = client("GET", V3 + MESSAGE)
    assert answer.headers["ibm-mq-md-correlationId"] == "order-1"
    assert "ibm-mq-usr" not in answer.headers
    with qmgr.connect() as connection:
        handle = mqsc.MessageHandle(None)
        options = GetMessageOptions(
            int(mqsc.MQGMO.BROWSE_FIRST | mqsc.MQGMO.PROPERTIES_IN_HANDLE), message_handle=handle
        )
        connection.open("Q1", BROWSE).get(options)
        assert handle.values == {"mcd.Msd": "jms_text", "JMSCorrelationID": "order-1"}


def test_w60_w64_identifiers_in_the_query(client: Client) -> None:
    identifier = client("POST", V3 + MESSAGE, b"x").headers["ibm-mq-md-messageId"]
    assert identifier.startswith("ID:")
    assert client("GET", f"{V3}{MESSAGE}?messageId={identifier}").status == 200
    assert client("GET", f"{V2}{MESSAGE}?messageId={identifier}").status == 400
    assert client("GET", f"{V2}{MESSAGE}?messageId={'0' * 48}").status == 400
    assert client("GET", f"{V2}{MESSAGE}?messageId=x&messageId=y").status == 400


def test_w61_a_message_that_is_no_text(client: Client, qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.put1("Q1", mqsc.Message(b"\0\1", MessageDescriptor(format="MQADMIN")))
    for method in ("GET", "DELETE"):
        assert client(method, V2 + MESSAGE).error == (501, "MQWB0309E", 0, 0)
    assert (depth(qmgr), stored(qmgr).descriptor.backout_count) == (1, 0)


def test_text_in_another_character_set_is_converted(client: Client, qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        text = MessageDescriptor(format="MQSTR", coded_char_set_id=819)
        connection.put1("Q1", mqsc.Message("Käse".encode("latin-1"), text))
        connection.put1("Q1", mqsc.Message(b"\xff", TEXT.copy()))
    assert client("DELETE", V2 + MESSAGE).body == "Käse".encode()
    assert client("DELETE", V2 + MESSAGE).error == (500, "MQWB0303E", 2, 2119)
    assert depth(qmgr) == 1


def test_w65_inhibited_queues(client: Client, qmgr: QueueManager) -> None:
    define(qmgr, "ALTER QLOCAL(Q1) PUT(DISABLED) GET(DISABLED)")
    put = client("POST", V2 + MESSAGE, b"x")
    assert put.error == (405, "MQWB0303E", 2, 2051)
    assert "POST" not in put.headers["Allow"]
    assert client("DELETE", V2 + MESSAGE).error == (405, "MQWB0303E", 2, 2016)
    assert client("GET", V2 + LIST).json == {"messages": []}


def test_w66_full_queues_and_long_messages(client: Client, qmgr: QueueManager) -> None:
    define(qmgr, "ALTER QLOCAL(Q1) MAXDEPTH(1) MAXMSGL(10)")
    assert client("POST", V2 + MESSAGE, b"x" * 11).error == (400, "MQWB0303E", 2, 2030)
    assert client("POST", V2 + MESSAGE, b"x").status == 201
    assert client("POST", V2 + MESSAGE, b"x").error == (500, "MQWB0303E", 2, 2053)


def test_w67_other_queues(client: Client, qmgr: QueueManager, store: Store) -> None:
    define(qmgr, "DEFINE QREMOTE(R) RNAME(X) RQMNAME(Y)\nDEFINE QMODEL(M)")
    of = f"{V2}/messaging/qmgr/QM1/queue"
    assert client("GET", f"{of}/NO/message").error == (404, "MQWB0300E", 2, 2085)
    assert client("POST", f"{of}/A1/message", b"x").status == 201
    assert client("DELETE", f"{of}/A1/message").body == b"x"
    assert client("GET", f"{of}/R/message").status == 400
    assert client("GET", f"{of}/M/message").error == (400, "MQWB0303E", 2, 2057)
    assert client("GET", f"{V2}/messaging/qmgr/NO/queue/Q1/message").error == (
        404,
        "MQWB0009E",
        2,
        2058,
    )
    store.queue_manager("QM2").end()
    ended = client("GET", f"{V2}/messaging/qmgr/QM2/queue/Q1/message")
    assert ended.error == (503, "MQWB0300E", 2, 2059)


def test_w68_the_list_of_messages(client: Client, qmgr: QueueManager, clock: FrozenClock) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("Q1", int(MQOO.OUTPUT))
        handle.put(mqsc.Message(b"old", MessageDescriptor(expiry=1)))
        placed = [
            handle.put(mqsc.Message(b"1", MessageDescriptor(format="MQADMIN"))),
            handle.put(mqsc.Message(b"2", TEXT.copy())),
            handle.put(mqsc.Message(b"3", TEXT.copy())),
        ]
    clock.advance(1)
    listed = client("GET", f"{V2}{LIST}?limit=2").json["messages"]
    assert [each["messageId"] for each in listed] == [each.msg_id.hex() for each in placed[:2]]
    assert [each["format"] for each in listed] == ["MQADMIN", "MQSTR"]
    assert len(client("GET", V2 + LIST).json["messages"]) == 3
    for limit in ("0", "10001", "x", "-1", ""):
        assert client("GET", f"{V2}{LIST}?limit={limit}").status == 400


def test_w69_a_reader_only_browses(client: Client, qmgr: QueueManager) -> None:
    assert client("POST", V2 + MESSAGE, b"x").status == 201
    assert client("GET", V2 + MESSAGE, user=RDR).body == b"x"
    assert client("GET", V2 + LIST, user=RDR).status == 200
    for method, body in (("DELETE", None), ("POST", b"x")):
        assert client(method, V2 + MESSAGE, body, RDR).error == (403, "MQWB0108E", 0, 0)
    assert client("DELETE", f"{V2}{MESSAGE}?wait=60000", user=RDR).status == 403
    assert depth(qmgr) == 1


def test_a_user_without_the_authority(client: Client, qmgr: QueueManager) -> None:
    define(qmgr, "DEFINE QLOCAL(Q2)")
    path = f"{V2}/messaging/qmgr/QM1/queue/Q2/message"
    for method, body in (("POST", b"x"), ("GET", None), ("DELETE", None)):
        assert client(method, path, body, APP).error == (403, "MQWB0103E", 2, 2035)
    assert depth(qmgr, "Q2") == 0


def test_w70_a_message_on_a_topic_reaches_its_subscribers(
    client: Client,
    qmgr: QueueManager,
) -> None:
    define(qmgr, "DEFINE QLOCAL(Q2)\nDEFINE SUB(S) TOPICSTR('a/#') DEST(Q2)")
    for topic in ("T", "a/b", "a"):
        path = f"{V2}/messaging/qmgr/QM1/topic/{topic}/message"
        answer = client("POST", path, b"x")
        assert (answer.status, answer.body) == (201, b"")
    assert depth(qmgr, "Q2") == 2


def test_a_topic_that_takes_no_publications(client: Client, qmgr: QueueManager) -> None:
    define(qmgr, "DEFINE TOPIC(T) TOPICSTR('a') PUB(DISABLED)")
    path = f"{V2}/messaging/qmgr/QM1/topic/a%2Fb/message"
    refused = client("POST", path, b"x")
    assert refused.error == (405, "MQWB0303E", 2, 2051)
    assert refused.headers["Allow"] == ""
    assert client("GET", path).status == 405
    assert client("POST", path, b"x", RDR).error == (403, "MQWB0108E", 0, 0)


def test_w71_names_in_the_url(client: Client, qmgr: QueueManager) -> None:
    define(qmgr, "DEFINE QLOCAL('A/B')\nDEFINE QLOCAL('A%B')\nDEFINE QLOCAL('A.B')")
    of = f"{V2}/messaging/qmgr/QM1/queue"
    for name in ("A%2FB", "A%2fB", "A%25B", "A.B"):
        assert client("POST", f"{of}/{name}/message", b"x").status == 201
    assert depth(qmgr, "A/B") == 2
    for name in ("%00", "..%2f", "%ff", "A%0d%0aB", "%2e%2e"):
        assert client("POST", f"{of}/{name}/message", b"x").error == (400, "MQWB0106E", 0, 0)


def test_w72_other_methods(client: Client) -> None:
    for method in ("PUT", "TRACE", "PATCH"):
        answer = client(method, V2 + MESSAGE)
        assert answer.error == (405, "MQSC0607E", 0, 0)
        assert {"GET", "POST", "DELETE"} <= {*answer.headers["Allow"].split(", ")}
    head = client("HEAD", f"{V2}/admin/qmgr")
    assert (head.status, head.body) == (200, b"")


def test_a_message_cannot_add_headers(client: Client, qmgr: QueueManager) -> None:
    """Response splitting."""
    properties = mqsc.MessageHandle(None)
    properties.set("evil", 'a"\r\nSet-Cookie: LtpaToken2=é')
    with qmgr.connect() as connection:
        options = mqsc.PutMessageOptions(message_handle=properties)
        connection.put1("Q1", mqsc.Message(b"x", TEXT.copy()), options)
    answer = client("GET", V3 + MESSAGE)
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["ibm-mq-usr"] == 'evil;string;"a\\"%0D%0ASet-Cookie: LtpaToken2=%C3%A9"'


@pytest.mark.parametrize("accepted", ["iso-8859-1", "iso-8859-1, us-ascii;q=0.5"])
def test_the_character_set_of_answers(client: Client, accepted: str) -> None:
    assert client("GET", V2 + MESSAGE, Accept_Charset=accepted).error[:2] == (406, "MQWB0305E")
    assert client("GET", V2 + MESSAGE, Accept_Charset=f"{accepted}, utf-8").status == 204


def test_connections_are_kept_and_end_with_the_queue_manager(client: Client, store: Store) -> None:
    for _ in range(3):
        assert client("POST", V2 + MESSAGE, b"x").status == 201
    rows = mqsc.run(store.queue_manager("QM1"), "DISPLAY CONN(*) APPLTAG USERID")[0].rows
    assert [(row["APPLTAG"], row["USERID"]) for row in rows] == [("mqsc serve", "adm")]
    qmgr = store.queue_manager("QM1")
    qmgr.end(immediate=True)
    qmgr.start()
    assert client("POST", V2 + MESSAGE, b"x").status == 201


def test_w62_a_wait_ends_with_a_put_of_another_process(
    live_client: Client, live_store: Store
) -> None:
    answers = []
    waiting = Thread(
        target=lambda: answers.append(live_client("DELETE", f"{V2}{MESSAGE}?wait=60000"))
    )
    waiting.start()
    until_opened(live_store)
    program = "import sys, mqsc; mqsc.connect(sys.argv[1], qmgr='QM1').queue('Q1').put('late')"
    subprocess.run([sys.executable, "-c", program, str(live_store.path)], check=True)
    waiting.join()
    assert (answers[0].status, answers[0].body) == (200, b"late")


def until_opened(store: Store) -> None:
    """Return when a program has Q1 open for input."""
    command = "DISPLAY QSTATUS(Q1) IPPROCS"
    while mqsc.run(store.queue_manager("QM1"), command)[0].rows[0]["IPPROCS"] == 0:
        continue


def test_w63_a_wait_that_finds_nothing(live_client: Client) -> None:
    assert live_client("DELETE", f"{V2}{MESSAGE}?wait=50").status == 204


def test_w63_a_client_that_has_gone_gets_no_message(live_client: Client, live_store: Store) -> None:
    connection = HTTPConnection(live_client.host, live_client.port)
    headers = {"Authorization": basic("adm"), CSRF: ""}
    connection.request("DELETE", f"{V2}{MESSAGE}?wait=60000", headers=headers)
    until_opened(live_store)
    connection.close()
    qmgr = live_store.queue_manager("QM1")
    while mqsc.run(qmgr, "DISPLAY QSTATUS(Q1) IPPROCS")[0].rows[0]["IPPROCS"]:
        continue
    put(qmgr.connect())
    assert depth(qmgr) == 1


def put(connection: Connection) -> None:
    with connection:
        connection.put1("Q1", mqsc.Message(b"x", TEXT.copy()))


def test_two_clients_never_get_the_same_message(live_client: Client, live_store: Store) -> None:
    number = 60
    with live_store.queue_manager("QM1").connect() as connection:
        handle = connection.open("Q1", int(MQOO.OUTPUT))
        handle.put([mqsc.Message(f"{each}".encode(), TEXT.copy()) for each in range(number)])
    bodies: list[bytes] = []

    def take() -> None:
        while (answer := live_client("DELETE", V2 + MESSAGE)).status == 200:
            bodies.append(answer.body)

    clients = [Thread(target=take) for _ in range(4)]
    for each in clients:
        each.start()
    for each in clients:
        each.join()
    assert sorted(map(int, bodies)) == [*range(number)]


def test_v1_has_messages_too(client: Client) -> None:
    assert client("POST", V1 + MESSAGE, b"x", ibm_mq_usr_color="red").status == 201
    assert client("DELETE", V1 + MESSAGE).body == b"x"
