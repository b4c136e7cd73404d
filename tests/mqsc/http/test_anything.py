"""Random requests: never a fault, always an answer in the form of the contract (rest §8)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import mqsc
from mqsc.store.environment import Environment
from tests.mqsc.http.client import CSRF, V2, Client, basic, client_of
from tests.mqsc.http.conftest import START, fill

NAMES = st.sampled_from(
    ["type", "command", "qualifier", "name", "parameters", "responseParameters"]
)
WORDS = st.sampled_from(
    "runCommand runCommandJSON display alter define qlocal qmgr channel queue * Q1 all descr where "
    "maxdepth trigger names replace".split(),
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | NAMES, inner, max_size=3),
    max_leaves=8,
)
BODIES = st.binary(max_size=60) | st.dictionaries(NAMES, VALUES, max_size=6).map(
    lambda body: json.dumps(body).encode(),
)
PATHS = st.sampled_from(
    [
        "/login",
        "/admin/action/qmgr/QM1/mqsc",
        "/messaging/qmgr/QM1/queue/Q1/message",
        "/messaging/qmgr/QM1/queue/Q1/messagelist",
        "/admin/qmgr/QM1",
    ],
)
TEXT = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=20)
HEADER_NAMES = st.sampled_from(
    "ibm-mq-md-expiry ibm-mq-md-replyTo ibm-mq-md-correlationId ibm-mq-usr Cookie Accept-Charset "
    "Content-Type ibm-mq-rest-gateway-qmgr".split(),
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, list[str]]]:
    """One server for all requests."""
    lines: list[str] = []
    path: Path = tmp_path_factory.mktemp("anything") / "store.db"
    with mqsc.open_store(path, Environment.frozen(START)) as store:
        fill(store)
        with client_of(store, lines) as client:
            yield client, lines


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    method=st.sampled_from(["GET", "POST", "DELETE"]),
    path=PATHS,
    end=TEXT.filter(lambda text: "wait" not in text),
    body=BODIES,
    headers=st.dictionaries(HEADER_NAMES, TEXT, max_size=3),
)
def test_w80_a_random_request(
    shared: tuple[Client, list[str]],
    method: str,
    path: str,
    end: str,
    body: bytes,
    headers: dict[str, str],
) -> None:
    client, lines = shared
    sent = {"Authorization": basic("adm"), CSRF: "", "Content-Type": "application/json", **headers}
    answer = client.send(method, f"{V2}{path}{end}", body if method == "POST" else None, sent)
    assert answer.status < 500 or answer.status == 501
    if answer.status >= 400:
        assert answer.json["error"][0]["msgId"]
    assert not [line for line in lines if line.startswith("error")]
