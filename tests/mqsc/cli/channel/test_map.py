"""`mqsc channel map`, and a channel that uses the map."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command


@pytest.fixture
def made(mqsc: Command) -> Command:
    mqsc("qmgr", "create", "QM1")
    mqsc("qmgr", "create", "QM2", "--store", "sqlite:///other.db")
    return mqsc


def test_hosts_are_mapped_listed_and_removed(made: Command, tmp_path: Path) -> None:
    other = f"sqlite:///{tmp_path}/other.db(QM2)"
    assert made("channel", "map", "MQ.Example.com", "sqlite:///other.db(QM2)").out == (
        f"mq.example.com(1414) is mapped to {other}\n"
    )
    made("channel", "map", "10.0.0.1(1500)", "QM1")
    assert made("channel", "map").lines[0].split() == ["ADDRESS", "TARGET"]
    assert json.loads(made("channel", "map", "--format", "json").out) == [
        {"address": "10.0.0.1(1500)", "target": "local(QM1)"},
        {"address": "mq.example.com(1414)", "target": other},
    ]
    made("channel", "map", "mq.example.com(1414)", "local(QM1)")
    assert json.loads(made("channel", "map", "--format", "json").out)[1]["target"] == "local(QM1)"
    assert made("channel", "map", "mq.example.com", "--remove").code == 0
    gone = made("channel", "map", "mq.example.com", "--remove")
    assert (gone.code, gone.err) == (10, "mqsc: mq.example.com(1414) is not mapped\n")


def test_a_channel_goes_where_the_map_says(made: Command) -> None:
    definitions = (
        "DEFINE QLOCAL(X) USAGE(XMITQ)\nDEFINE QREMOTE(RQ) RNAME(Q) RQMNAME(QM2) XMITQ(X)\n"
        "DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('mq.example.com(1414)') XMITQ(X)"
    )
    made("run", "-c", definitions)
    other = ("--store", "sqlite:///other.db")
    made("run", "-c", "DEFINE QLOCAL(Q)\nDEFINE CHANNEL(C) CHLTYPE(RCVR)", *other)
    made("put", "RQ", "hello")
    unknown = made("channel", "run", "C", "--until-empty")
    assert unknown.code == 10
    assert "is not mapped" in unknown.err
    made("channel", "map", "mq.example.com(1414)", "sqlite:///other.db(QM2)")
    assert made("channel", "run", "C", "--until-empty").code == 0
    assert made("get", "Q", *other).out == "hello\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("host",), "Missing TARGET"),
        (("--remove",), "needs the ADDRESS"),
        (("host", "QM1", "--remove"), "no TARGET"),
        (("host(1),b(2)", "QM1"), "not one address"),
        (("", "QM1"), "not one address"),
        (("local(QM1)", "QM1"), "not a network address"),
        (("sqlite:///x.db(QM1)", "QM1"), "not a network address"),
        (("host(x)", "QM1"), "not a network address"),
        (("a b", "QM1"), "not a network address"),
        (("host", "other(1414)"), "does not name a queue manager or a store"),
        (("host", "QM1,QM2"), "does not name a queue manager or a store"),
        (("host", "sqlite://(QM1)"), "sqlite"),
    ],
)
def test_bad_input(made: Command, arguments: tuple[str, ...], told: str) -> None:
    ended = made("channel", "map", *arguments)
    assert (ended.code, ended.out) == (20, "")
    assert told in ended.err
    assert made("channel", "map").out == ""


def test_a_target_that_is_not_there_yet_is_pointed_out(made: Command) -> None:
    assert "no queue manager QM7 in this store yet" in made("channel", "map", "host", "QM7").err
    assert "there is no store" in made("channel", "map", "host", "sqlite:///new.db(QM7)").err
    assert "hosts" not in made("--quiet", "channel", "map", "host", "QM7").err
