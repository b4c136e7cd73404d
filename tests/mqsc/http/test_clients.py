"""The requests of public clients of mqweb, as they send them (rest §9)."""

from __future__ import annotations

import json
from typing import Any

import mqsc
from mqsc.store.client.queue_manager import QueueManager
from tests.mqsc.http.client import V1, V2, V3, Client, basic

KEDA = b"""{
  "type": "runCommandJSON",
  "command": "display",
  "qualifier": "qlocal",
  "name": "%s",
  "responseParameters" : ["CURDEPTH"]
}"""


def keda(client: Client, queue: str, qmgr: str = "QM1") -> Any:
    """The scaler of KEDA: the body with line ends, and a header against forgery of its own."""
    headers = {
        "ibm-mq-rest-csrf-token": "value",
        "Content-Type": "application/json",
        "Authorization": basic("adm"),
    }
    path = f"{V2}/admin/action/qmgr/{qmgr}/mqsc"
    return client.send("POST", path, KEDA % queue.encode(), headers).json


def test_the_scaler_of_keda(client: Client, qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.put1("Q1", mqsc.Message(b"x"))
    found = keda(client, "Q1")
    (item,) = found["commandResponse"]
    assert item["parameters"]["curdepth"] == 1
    missing = keda(client, "FAKE.QUEUE")
    assert (missing["overallCompletionCode"], missing["overallReasonCode"]) == (2, 3008)
    (item,) = missing["commandResponse"]
    assert (item["completionCode"], item["reasonCode"]) == (2, 2085)
    assert item["message"] == ["AMQ8147E: IBM MQ object FAKE.QUEUE not found."]
    (error,) = keda(client, "Q1", "testqmgR")["error"]
    assert (error["msgId"], error["completionCode"], error["reasonCode"]) == ("MQWB0009E", 2, 2058)


def test_the_mcp_server_of_ibm(client: Client) -> None:
    """It reads text[0] of a command, and asks for queue managers with a slash at the end."""
    headers = {"ibm-mq-rest-csrf-token": "token", "Authorization": basic("adm")}
    listed = client.send("GET", f"{V3}/admin/qmgr/", None, headers).json["qmgr"]
    assert [each["name"] for each in listed] == ["QM1", "QM2"]
    body = {"type": "runCommand", "parameters": {"command": "DISPLAY QLOCAL(Q1) CURDEPTH"}}
    sent = {**headers, "Content-Type": "application/json"}
    path = f"{V3}/admin/action/qmgr/QM1/mqsc"
    answer = client.send("POST", path, json.dumps(body).encode(), sent).json
    assert "CURDEPTH(0)" in answer["commandResponse"][0]["text"][0]


def test_mq_studio(client: Client) -> None:
    """A login, then the cookie alone; properties in headers of their own, which v1 ignores."""
    token = client.token()
    headers = {
        "Cookie": f"LtpaToken2={token}",
        "ibm-mq-rest-csrf-token": "",
        "Content-Type": "text/plain;charset=utf-8",
        "ibm-mq-usr-color": "red",
        "ibm-mq-md-expiry": "unlimited",
        "ibm-mq-md-persistence": "persistent",
    }
    path = f"{V1}/messaging/qmgr/QM1/queue/Q1/message"
    assert client.send("POST", path, "Käse".encode(), headers).status == 201
    listed = client.send("GET", f"{path}list?limit=50", None, headers).json["messages"]
    assert [each["format"] for each in listed] == ["MQSTR"]
    one = client.send("GET", f"{path}?messageId={listed[0]['messageId']}", None, headers)
    assert one.body == "Käse".encode()
    assert client.send("DELETE", f"{V1}/login", None, headers).status == 204
    assert client.send("GET", path, None, headers).error[1] == "MQWB0112E"
