"""setmqaut, dspmqaut and dmpmqaut with IBM's arguments and exit codes, and runmqsc -u."""

from __future__ import annotations

import pytest

from tests.mqsc.conftest import Command
from tests.rows import rows


@pytest.fixture(autouse=True)
def prepared(mqsc: Command) -> None:
    assert mqsc("run", "-c", "DEFINE QLOCAL(Q)").code == 0


def test_z27_words_are_granted_and_revoked_at_once(mqsc: Command) -> None:
    assert (
        mqsc("setmqaut", "-m", "QM1", "-t", "queue", "-n", "Q", "-p", "app", "-all", "+put").code
        == 0
    )
    shown = mqsc("dspmqaut", "-m", "QM1", "-t", "q", "-n", "Q", "-p", "app")
    assert shown.out == "Entity app has the following authorizations for object Q:\n\tput\n"
    assert (
        mqsc(
            "setmqaut",
            "-t",
            "queue",
            "-n",
            "Q",
            "-p",
            "app",
            "-p",
            "web",
            "-g",
            "apps",
            "-put",
            "+get",
        ).code
        == 0
    )
    assert mqsc("dspmqaut", "-t", "q", "-n", "Q", "-g", "apps").lines[1:] == ["\tget"]
    assert mqsc("setmqaut", "-t", "queue", "-n", "Q", "-p", "app", "-remove").code == 0
    assert mqsc("dspmqaut", "-t", "q", "-n", "Q", "-p", "app").lines[1:] == []


def test_z35_records_are_dumped_as_blocks_and_as_commands(mqsc: Command) -> None:
    mqsc("setmqaut", "-t", "queue", "-n", "Q", "-g", "apps", "+put")
    mqsc("setmqaut", "-t", "qmgr", "-p", "app", "+connect", "+inq")
    assert mqsc("dmpmqaut", "-m", "QM1").lines == [
        *(
            "profile:     Q",
            "object type: queue",
            "entity:      apps",
            "entity type: group",
            "authority:   put",
        ),
        "- - - - - - - -",
        *("profile:     self", "object type: qmgr", "entity:      app", "entity type: principal"),
        "authority:   connect inq",
    ]
    commands = mqsc("dmpmqaut", "-a").lines
    before = mqsc("dmpmqaut").lines
    mqsc("setmqaut", "-t", "queue", "-n", "Q", "-g", "apps", "-remove")
    for line in commands:
        assert mqsc(*line.split()).code == 0
    assert mqsc("dmpmqaut").lines == before
    assert mqsc("dmpmqaut", "-n", "Q", "-x", "-l").lines == ["profile:     Q", "object type: queue"]


def test_exit_codes(mqsc: Command) -> None:
    for words, code in {
        "-t queue -n Q -p app": 150,
        "-t queue -n Q -p app +frob": 151,
        "-t queue -n Q -p app +connect": 151,
        "-t queue -n Q -p app +dsp -alladm": 151,
        "-t queue -n Q -p app -setid +all": 0,
        "-t chl -n NO -p app +dsp": 133,
        "-t queue -n NO -p app +put": 133,
        "-t topic -n NO -p app +sub": 133,
        "-t queue -n NO.** -p app +put": 0,
        "-t queue -n @class -p app +crt": 0,
        "-t rqmname -n NO -p app +put": 0,
        "-n Q -p app +put": 147,
        "-t frob -n Q -p app +put": 148,
        "-t queue -n Q +put": 149,
        "-t queue -n A**B -p app +put": 146,
        "-t queue -p app +put": 146,
        "-t queue -n Q -p nobody -remove": 146,
        "-s X -t queue -n Q -p app +put": 0,
    }.items():
        assert mqsc("setmqaut", *words.split()).code == code, words


def test_an_object_that_does_not_exist_has_no_authorities(mqsc: Command) -> None:
    """A record that its object has outlived can still be removed."""
    fault = "AMQ7085E: Object NO, type queue not found."
    for command in ("setmqaut -t queue -n NO -p app +get", "dspmqaut -t q -n NO -p app"):
        ended = mqsc(*command.split())
        assert (ended.code, ended.err.splitlines()) == (133, [fault])
    assert mqsc("dmpmqaut").out == ""
    mqsc("run", "-c", "SET AUTHREC PROFILE(NO) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(GET)")
    assert mqsc("setmqaut", "-t", "q", "-n", "NO", "-p", "app", "-remove").code == 0
    assert mqsc("dmpmqaut").out == ""


def test_z116_runmqsc_of_a_user_who_may_not_connect(mqsc: Command) -> None:
    mqsc("auth", "mode", "enforce")
    ended = mqsc("runmqsc", "-u", "ghost", "QM1", stdin=b"DISPLAY QMGR\n")
    assert ended.code == 20
    assert "AMQ8135E" in ended.err
    assert "No MQSC commands read." in ended.err
    mqsc("setmqaut", "-t", "qmgr", "-p", "ghost", "+connect", "+dsp")
    assert mqsc("runmqsc", "-u", "ghost", "QM1", stdin=b"DISPLAY QMGR QMNAME\n").code == 0


@rows("Secr3t!", "two-words", "  passw0rd  ", "help")
def test_the_password_before_the_commands_is_not_run(mqsc: Command, password: str) -> None:
    commands = f"{password}\nDISPLAY QMGR QMNAME\n".encode()
    ended = mqsc("runmqsc", "-u", "app", "QM1", stdin=commands)
    assert (ended.code, ended.err) == (
        0,
        "runmqsc: ignored the first line: no password is asked for\n",
    )
    assert "One MQSC command read." in ended.out
    assert password not in ended.out
    assert mqsc("runmqsc", "QM1", stdin=commands).code == 10


@rows("* a comment", "", "end", "PING QMGR", "DISPLAY +", "DEFNE QLOCAL(A)", "DEFNE(A)")
def test_what_may_be_a_command_is_no_password(mqsc: Command, line: str) -> None:
    assert "ignored" not in mqsc("runmqsc", "-u", "app", "QM1", stdin=f"{line}\n".encode()).err
