"""Which masters are this machine, which settings are possible, and what a dead master is told by."""

from __future__ import annotations

import socket

import pytest

from reports.errors import ReportError
from reports.masters import is_local, require_answer, require_master, settings_of

LOCAL = [
    *(("local", True), ("local[2]", True), ("local[*]", True), ("local[2,3]", True), ("local[nothing]", True)),
    *(("local-cluster[2,1,512]", False), ("spark://localhost:7077", False), ("sc://localhost", False)),
    *(("yarn", False), ("k8s://https://host", False), ("", False)),
]


@pytest.mark.parametrize(("master", "local"), LOCAL)
def test_which_masters_are_local(master: str, local: bool) -> None:
    assert is_local(master) is local


@pytest.mark.parametrize("master", ["", "foo", "local[0]", "local[nothing]", "local[2", "spark:", "localhost:7077"])
def test_what_is_no_master(master: str) -> None:
    with pytest.raises(ReportError, match="is not a master of Spark; write local"):
        require_master(master)


@pytest.mark.parametrize(
    "master", [*("local", "local[2]", "local[*]", "local[*,4]"), *("spark://a:1", "yarn", "k8s://b")]
)
def test_masters(master: str) -> None:
    require_master(master)


def test_settings() -> None:
    given = [
        "spark.executor.memory=4g",
        "spark.driver.extraJavaOptions=-Da=b -Dc=d",
        "spark.executor.memory=5g",
        "spark.x=",
    ]
    assert settings_of(given) == {
        "spark.executor.memory": "5g",
        "spark.driver.extraJavaOptions": "-Da=b -Dc=d",
        "spark.x": "",
    }


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("executor.memory=4g", "'executor.memory=4g' is not a Spark setting; write it as spark.executor.memory=4g"),
        ("spark.executor.memory", "is not a Spark setting"),
        ("", "'' is not a Spark setting"),
        ("spark.master=yarn", "spark.master cannot be set: name the master with --master"),
        ("spark.sql.session.timeZone=CET", "spark.sql.session.timeZone cannot be set: reports are made in UTC"),
    ],
)
def test_refused_settings(given: str, says: str) -> None:
    with pytest.raises(ReportError) as caught:
        settings_of([given])
    assert says in str(caught.value)


def test_a_master_that_answers_or_is_not_asked() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_server(("127.0.0.1", 0)) as closed:
        port, dead = server.getsockname()[1], closed.getsockname()[1]
        closed.close()
        for master in (f"spark://127.0.0.1:{dead},127.0.0.1:{port}", f"sc://127.0.0.1:{port}/;user_id=ann", "yarn"):
            require_answer(master)
        with pytest.raises(
            ReportError, match=rf"^no Spark master answers at spark://127.0.0.1:{dead} \(127.*refused\)$"
        ):
            require_answer(f"spark://127.0.0.1:{dead}")


@pytest.mark.parametrize(
    ("master", "says"),
    [
        ("spark://", "spark:// is not the URL of a master; write it as spark://HOST:7077"),
        ("spark://host:port", "spark://host:port is not the URL of a master"),
        ("sc://:15002", "sc://:15002 is not the URL of a master; write it as sc://HOST:15002"),
        ("sc://host:99999", "is not the URL of a master"),
        ("spark://nowhere.invalid:7077", "no Spark master answers at spark://nowhere.invalid:7077"),
    ],
)
def test_masters_that_cannot_be_reached(master: str, says: str) -> None:
    with pytest.raises(ReportError) as caught:
        require_answer(master)
    assert says in str(caught.value)
