"""Queue managers and the installation (rest §4)."""

from __future__ import annotations

import pytest

from mqsc.store.client.store import Store
from tests.mqsc.http.client import RDR, V1, V2, V3, Client

BOTH = {"qmgr": [{"name": "QM1", "state": "running"}, {"name": "QM2", "state": "running"}]}


@pytest.mark.parametrize("version", [V1, V2, V3])
@pytest.mark.parametrize("end", ["", "/"])
def test_w08_all_queue_managers(client: Client, version: str, end: str) -> None:
    answer = client("GET", f"{version}/admin/qmgr{end}")
    assert answer.json == BOTH
    assert answer.headers["Content-Type"] == "application/json;charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_w09_those_that_have_ended(client: Client, store: Store) -> None:
    store.queue_manager("QM2").end()
    answer = client("GET", f"{V2}/admin/qmgr?state=ended")
    assert answer.json == {"qmgr": [{"name": "QM2", "state": "endedNormally"}]}
    status = client("GET", f"{V2}/admin/qmgr/QM2?status=*").json["qmgr"][0]["status"]
    assert status is None


def test_w10_status_and_attributes(client: Client) -> None:
    (shown,) = client("GET", f"{V2}/admin/qmgr/QM1?status=*&attributes=*", user=RDR).json["qmgr"]
    assert shown["status"]["started"] == "2026-03-01T09:00:00.000Z"
    assert shown["status"]["connectionCount"] == 0
    assert shown["extended"]["isDefaultQmgr"] is True
    one = client("GET", f"{V2}/admin/qmgr/QM1?status=status.started").json["qmgr"][0]
    assert [*one["status"]] == ["started"]


def test_w11_an_unknown_queue_manager(client: Client) -> None:
    answer = client("GET", f"{V2}/admin/qmgr/testqmgR")
    assert answer.error == (404, "MQWB0009E", 2, 2058)
    assert "Could not query the queue manager 'testqmgR'" in answer.json["error"][0]["message"]


def test_w12_the_installation(client: Client) -> None:
    (shown,) = client("GET", f"{V2}/admin/installation?attributes=*").json["installation"]
    assert (shown["name"], shown["platform"]) == ("Installation1", "unix")
    assert shown["version"].startswith("9.")
    assert shown["extended"]["hostName"]
    assert client("GET", f"{V2}/admin/installation/Installation1").status == 200


@pytest.mark.parametrize(
    "query",
    [
        "state=other",
        "status=x",
        "attributes=extended.x",
        "other=1",
        "state=ended&state=ended",
        "%ff",
    ],
)
def test_a_wrong_query(client: Client, query: str) -> None:
    assert client("GET", f"{V2}/admin/qmgr?{query}").error == (400, "MQWB0106E", 0, 0)
