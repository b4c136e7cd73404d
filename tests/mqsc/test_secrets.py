"""No secret given in a command is ever output: not on the screen, not as data, not in any file
of the store.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mqsc.store.catalog import KINDS
from tests.mqsc import conftest
from tests.mqsc.conftest import Command

mqsc = conftest.mqsc
SECRET = "geh31m$nis"
COMMANDS = {
    **{
        word: (f"ALTER QMGR {word}(%s)", "DISPLAY QMGR ALL")
        for word in ("INITKEY", "KEYRPWD", "SSLCRYP")
    },
    "PASSWORD": (
        "DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME(X) USERID('u') PASSWORD(%s) REPLACE",
        "DISPLAY CHANNEL(C) ALL",
    ),
    "LDAPPWD": (
        "DEFINE AUTHINFO(A) AUTHTYPE(CRLLDAP) CONNAME(X) LDAPPWD(%s) REPLACE",
        "DISPLAY AUTHINFO(A) ALL",
    ),
}
# Wrong commands that contain a secret.
WRONG = (
    "ALTER QMGR KEYRPWD(%s) NOSUCH(X)",
    "ALTER QMGR KEYRPWD(%s,%s)",
    "ALTER QMGR KEYRPWD %s",
    "ALTER QMGR KEYRPWD(%s) KEYRPWD(%s)",
    "ALTER CHANNEL(NONE) CHLTYPE(CLNTCONN) PASSWORD(%s)",
    "DEFINE QLOCAL(Q) PASSWORD(%s)",
    "DISPLAY CHANNEL(C) WHERE(PASSWORD EQ %s)",
    "DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME(X) PASSWORD(%s",
    "FROB PASSWORD(%s)",
)


def quoted(command: str) -> str:
    return command.replace("%s", f"'{SECRET}'")


@pytest.fixture
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A script with every secret, in right and in wrong commands, outside the folder of the
    store.
    """
    path = tmp_path_factory.mktemp("scripts") / "secrets.mqsc"
    path.write_text(
        "".join(
            f"{quoted(each)}\n" for each in [*(given for given, _ in COMMANDS.values()), *WRONG]
        ),
    )
    return path


@pytest.fixture
def filled(mqsc: Command, tmp_path: Path) -> Command:
    """The command line, with a queue manager that has been given every secret."""
    assert mqsc("qmgr", "create", "QM1").code == 0
    for given, _ in COMMANDS.values():
        assert mqsc("run", "-c", quoted(given)).code == 0
    return mqsc


def ways(script: str) -> Iterator[tuple[str, ...]]:
    """Yield every command line that reads the script or outputs definitions of the queue
    manager.
    """
    for format in ("text", "json", "jsonl"):
        for line in (
            "run {}",
            "run {} -v",
            "run {} --plan",
            "run {} --atomic",
            "run {} -e",
            "diff {}",
            "check {}",
        ):
            yield (*line.format(script).split(), "--format", format)
        yield from (("run", "-c", shown, "--format", format) for _, shown in COMMANDS.values())
        yield ("export", "--format", format, "--all")
    yield from (
        ("check", script, "--format", "sarif"),
        ("export", "--format", "yaml"),
        ("dmpmqcfg", "-a"),
    )
    yield ("runmqsc", "-f", script)


def files_with_the_secret(folder: Path) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert any(path.suffix == ".db" for path in files)
    return [path.name for path in files if SECRET.encode() in path.read_bytes()]


def test_every_secret_attribute_is_looked_at() -> None:
    secret = {
        row.keyword for kind in KINDS.values() for row in kind.attributes.values() if row.secret
    }
    assert secret - {"SSLKEYP"} == {*COMMANDS}


def test_nothing_prints_a_secret_and_no_file_holds_one(
    filled: Command,
    script: Path,
    tmp_path: Path,
) -> None:
    """Neither objects nor history, before and after the objects are changed and deleted."""
    for arguments in ways(str(script)):
        ended = filled(*arguments)
        assert ended.out or ended.err
        assert SECRET not in ended.out + ended.err, arguments
    assert files_with_the_secret(tmp_path) == []
    for command in (
        "DELETE CHANNEL(C) CHLTABLE(CLNTTBL)",
        "DELETE AUTHINFO(A)",
        "ALTER QMGR KEYRPWD('')",
    ):
        assert filled("run", "-c", command).code == 0
    assert files_with_the_secret(tmp_path) == []


def test_it_is_shown_that_there_is_one(filled: Command) -> None:
    for word, (_, shown) in COMMANDS.items():
        assert f"{word}(********)" in filled("run", "-c", shown).out
    filled("run", "-c", "ALTER QMGR KEYRPWD('')")
    assert "KEYRPWD( )" in filled("run", "-c", "DISPLAY QMGR KEYRPWD").out


def test_a_program_is_told_no_more(filled: Command, tmp_path: Path) -> None:
    import mqsc as product

    with product.open_store(f"sqlite:///{tmp_path}/store.db") as store:
        qmgr = store.queue_manager("QM1")
        for command in (
            *(quoted(each) for pair in COMMANDS.values() for each in pair),
            *map(quoted, WRONG),
        ):
            (reply,) = product.run(qmgr, command)
            assert SECRET not in repr(reply)
