"""Metrics, health and the OpenAPI document (rest §7)."""

from __future__ import annotations

import re
from typing import Any

import pytest

import mqsc
from mqsc.http.openapi import described
from mqsc.http.routes import OPERATIONS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from tests.mqsc.http.client import APP, RDR, V2, Client

SAMPLE = re.compile(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([-+.\deE]+)")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
# What IBM's boards for queue managers, queues and channels ask for.
OF_BOARDS = [
    ("ibmmq_qmgr_status", {"qmgr": "QM1"}),
    ("ibmmq_qmgr_connection_count", {"qmgr": "QM1", "platform": "UNIX"}),
    ("ibmmq_qmgr_uptime", {"qmgr": "QM1"}),
    ("ibmmq_qmgr_command_server_status", {"qmgr": "QM1"}),
    ("ibmmq_qmgr_channel_initiator_status", {"qmgr": "QM1"}),
    ("ibmmq_qmgr_exporter_publications", {"qmgr": "QM1"}),
    ("ibmmq_qmgr_interval_mqput_mqput1_total_count", {"qmgr": "QM1"}),
    ("ibmmq_qmgr_interval_destructive_get_total_count", {"qmgr": "QM1"}),
    ("ibmmq_queue_depth", {"qmgr": "QM1", "queue": "Q1", "usage": "NORMAL", "cluster": "-"}),
    ("ibmmq_queue_attribute_max_depth", {"queue": "Q1", "description": "the first"}),
    ("ibmmq_queue_oldest_message_age", {"queue": "Q1"}),
    ("ibmmq_queue_input_handles", {"queue": "Q1"}),
    ("ibmmq_queue_output_handles", {"queue": "Q1"}),
    ("ibmmq_queue_uncommitted_messages", {"queue": "Q1"}),
    ("ibmmq_queue_time_since_put", {"queue": "Q1"}),
    ("ibmmq_queue_mqput_mqput1_count", {"queue": "Q1"}),
    ("ibmmq_queue_depth", {"queue": "X", "usage": "XMITQ"}),
    ("ibmmq_channel_status", {"channel": "S", "type": "SENDER", "rqmname": "-"}),
    ("ibmmq_channel_status_squash", {"channel": "S", "connname": "h(1414)"}),
    ("mqsc_http_requests_total", {"status": "201"}),
    ("mqsc_http_request_seconds_count", {}),
]


def samples(text: str) -> list[tuple[str, dict[str, str], float]]:
    """The samples in the text for Prometheus."""
    lines = (SAMPLE.fullmatch(line) for line in text.splitlines() if not line.startswith("#"))
    return [
        (found[1], dict(LABEL.findall(found[2] or "")), float(found[3]))
        for found in lines
        if found is not None
    ]


@pytest.fixture
def measured(client: Client, qmgr: QueueManager) -> list[tuple[str, dict[str, str], float]]:
    mqsc.run(
        qmgr,
        "ALTER QLOCAL(Q1) DESCR('the first') MONQ(HIGH)\nDEFINE QLOCAL(X) USAGE(XMITQ)\n"
        "DEFINE CHANNEL(S) CHLTYPE(SDR) CONNAME('h(1414)') XMITQ(X)",
        check=True,
    )
    # Events are counted from the first time on.
    client("GET", "/metrics")
    client("POST", f"{V2}/messaging/qmgr/QM1/queue/Q1/message", b"x")
    answer = client("GET", "/metrics", user=RDR)
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return samples(answer.body.decode())


@pytest.mark.parametrize(("name", "labels"), OF_BOARDS)
def test_w78_the_names_and_labels_of_ibms_boards(
    measured: list[tuple[str, dict[str, str], float]], name: str, labels: dict[str, str]
) -> None:
    assert [found for found in measured if found[0] == name and labels.items() <= found[1].items()]


def test_what_is_counted(measured: list[tuple[str, dict[str, str], float]]) -> None:
    values = {(name, labels.get("queue", "")): value for name, labels, value in measured}
    assert values["ibmmq_queue_depth", "Q1"] == 1
    assert values["ibmmq_queue_mqput_mqput1_count", "Q1"] == 1
    of_qm1 = [labels["qmgr"] == "QM1" for _, labels, _ in measured if "qmgr" in labels]
    assert {*of_qm1} == {True, False}
    puts = {
        labels["qmgr"]: value
        for name, labels, value in measured
        if name == "ibmmq_qmgr_interval_mqput_mqput1_total_count"
    }
    assert puts == {"QM1": 1, "QM2": 0}


def test_a_queue_manager_that_has_ended_or_is_new_is_measured(client: Client, store: Store) -> None:
    store.queue_manager("QM2").end()
    store.create_queue_manager("QM3")
    found = samples(client("GET", "/metrics").body.decode())
    states = {labels["qmgr"]: value for name, labels, value in found if name == "ibmmq_qmgr_status"}
    assert states == {"QM1": 2, "QM2": 0, "QM3": 2}


def test_metrics_need_a_role(client: Client) -> None:
    assert client.send("GET", "/metrics").status == 401
    assert client("GET", "/metrics", user=APP).error == (403, "MQWB0108E", 0, 0)


def test_openmetrics_is_a_choice_of_the_client(client: Client) -> None:
    answer = client("GET", "/metrics", Accept="application/openmetrics-text; version=1.0.0")
    assert answer.headers["Content-Type"].startswith("application/openmetrics-text")
    assert answer.body.endswith(b"# EOF\n")


def test_health(client: Client) -> None:
    for path in ("/health/live", "/health/ready"):
        answer = client.send("GET", path)
        assert (answer.status, answer.json) == (200, {"status": "ok"})


def resolved(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def test_w79_the_document_has_every_resource(client: Client) -> None:
    document = client("GET", "/openapi.json").json
    assert document == described()
    assert document["openapi"].startswith("3.1")
    operations = {
        (method.upper(), path) for path, item in document["paths"].items() for method in item
    }
    routes = {
        (each.method, re.sub(r":\w+}", "}", each.path).replace("{version}", version))
        for each in OPERATIONS
        for version in each.versions or [""]
        if each.answers
    }
    assert operations == routes
    for item in document["paths"].values():
        for operation in item.values():
            assert operation["responses"]
            names = [each["name"] for each in operation["parameters"]]
            assert len(names) == len({*names})
            for response in operation["responses"].values():
                for content in response.get("content", {}).values():
                    assert "type" in resolved(content["schema"], document)


def test_the_document_needs_a_login(client: Client) -> None:
    assert client.send("GET", "/openapi.json").status == 401
