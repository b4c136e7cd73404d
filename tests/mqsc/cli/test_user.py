"""`mqsc user`: users and passwords, and the commands of mqsc, which need none."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command


def test_users_are_added_listed_changed_and_removed(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1")
    assert mqsc("user", "add", "alice", stdin=b"s3cret\nnot this\n").lines == ["The user alice was added."]
    assert mqsc("user", "add", "root", "--administrator", stdin=b"s3cret\r\n").code == 0
    listed = json.loads(mqsc("user", "list", "--format", "json").out)
    assert [(row["name"], row["administrator"]) for row in listed] == [("alice", False), ("root", True)]
    assert mqsc("user", "list").lines[0].split() == ["NAME", "ADMINISTRATOR", "CREATED", "CHANGED"]
    assert mqsc("user", "password", "alice", stdin=b"other\n").lines == ["The password of alice was changed."]
    assert mqsc("user", "remove", "root").lines == ["The user root was removed."]
    assert [row["name"] for row in json.loads(mqsc("user", "list", "--format", "json").out)] == ["alice"]
    [path] = tmp_path.glob("*.db")
    with closing(sqlite3.connect(path)) as store:
        assert b"s3cret" not in "".join(store.iterdump()).encode()


@pytest.mark.parametrize(
    ("arguments", "typed", "code", "says"),
    [
        (("add", "alice"), "x\n", 10, "there is a user alice already"),
        (("add", "bob"), "\n", 10, "the password is empty"),
        (("add", "bob"), "", 20, "standard input has no password; its first line is taken"),
        (("add", "averylongname"), "x\n", 10, "at most 12 bytes"),
        (("password", "bob"), "x\n", 10, "there is no user bob"),
        (("remove", "bob"), "", 10, "there is no user bob"),
        (("add", "bob", "secret"), "", 20, "unexpected extra argument"),
    ],
)
def test_refusals(mqsc: Command, arguments: tuple[str, ...], typed: str, code: int, says: str) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc("user", "add", "alice", stdin=b"s3cret\n")
    ended = mqsc("user", *arguments, stdin=typed.encode())
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


def test_the_commands_of_mqsc_need_no_password(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    required = "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKLOCL(REQUIRED) CHCKCLNT(REQUIRED)"
    assert mqsc("run", "-c", required, "-c", "DEFINE QLOCAL(Q)").code == 0
    assert mqsc("put", "Q", "text").code == 0
    assert mqsc("get", "Q").code == 0
