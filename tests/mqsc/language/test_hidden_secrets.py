"""A secret that a file hides behind asterisks is not given."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqsc.language.hidden_secrets import gives_secret, is_hidden
from tests.mqsc import conftest
from tests.mqsc.conftest import Command

mqsc = conftest.mqsc
CHANNEL = (
    "DEFINE QLOCAL(X) USAGE(XMITQ) REPLACE\n"
    "DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('{}') XMITQ(X) PASSWORD('{}') REPLACE\n"
)
HIDDEN = "********"


@pytest.fixture
def made(mqsc: Command) -> Command:
    """The command line, with a queue manager."""
    assert mqsc("qmgr", "create", "QM1").code == 0
    return mqsc


def has_secret(mqsc: Command) -> bool:
    return f"PASSWORD({HIDDEN})" in mqsc("run", "-c", "DISPLAY CHANNEL(C) PASSWORD").out


def written(folder: Path, host: str, password: str) -> str:
    path = folder / "dump.mqsc"
    path.write_text(CHANNEL.format(host, password))
    return str(path)


def test_asterisks_are_no_secret_and_other_text_is() -> None:
    assert [is_hidden(each) for each in ("'****'", HIDDEN, "", "***", "*** *", "a****")] == [
        *(True, True),
        *(False, False, False, False),
    ]
    assert gives_secret("ALTER QMGR KEYRPWD('s')")
    assert not gives_secret(f"ALTER QMGR KEYRPWD('{HIDDEN}')")


def test_asterisks_are_not_imported(made: Command, tmp_path: Path) -> None:
    dump = written(tmp_path, "h", HIDDEN)
    assert made("import", dump).code == 0
    assert not has_secret(made)
    assert made("diff", dump).code == 0


def test_a_file_with_asterisks_or_without_the_secret_leaves_it(
    made: Command,
    tmp_path: Path,
) -> None:
    made("run", written(tmp_path, "h", "real"))
    export = tmp_path / "export.mqsc"
    export.write_text(made("export").out)
    assert "PASSWORD(" not in export.read_text()
    for file in (str(export), written(tmp_path, "h", HIDDEN)):
        assert made("diff", file).code == 0
        assert made("apply", "--yes", file).code == 0
        assert made("import", file).code == 0
        assert has_secret(made)


def test_only_blanks_remove_a_secret(made: Command, tmp_path: Path) -> None:
    made("run", written(tmp_path, "h", "real"))
    file = written(tmp_path, "h", " ")
    assert f"PASSWORD  {HIDDEN} -> ' '" in made("diff", file).out
    assert made("apply", "--yes", file).code == 0
    assert not has_secret(made)


def test_a_change_beside_asterisks_is_that_change_alone(made: Command, tmp_path: Path) -> None:
    made("run", written(tmp_path, "h", "real"))
    file, plan = written(tmp_path, "other", HIDDEN), str(tmp_path / "plan.json")
    assert made("apply", "--script", file).out.strip() == (
        "ALTER CHANNEL('C') CHLTYPE(SDR) CONNAME('other')"
    )
    assert made("apply", "--out", plan, file).code == 0
    assert made("apply", plan).code == 0
    assert has_secret(made)
    assert made("diff", file).code == 0


def test_check_warns_of_secrets_only(made: Command, tmp_path: Path) -> None:
    hidden = made("check", written(tmp_path, "h", HIDDEN)).out
    assert "C20" not in hidden
    assert "PASSWORD" not in hidden
    real = made("check", written(tmp_path, "h", "real")).out
    assert "C20" in real
    assert "PASSWORD has no effect" in real


def test_a_remark_names_the_attribute_of_a_secret(made: Command, tmp_path: Path) -> None:
    ended = made("import", written(tmp_path, "h", "real"))
    assert "dump.mqsc:2: CHANNEL: PASSWORD has no effect" in ended.out + ended.err


def test_a_script_that_is_run_does_not_set_asterisks(made: Command, tmp_path: Path) -> None:
    """And it takes no secret away, although a DEFINE with REPLACE sets what it does not give."""
    ran = made("run", written(tmp_path, "a", HIDDEN))
    assert "PASSWORD: asterisks stand for a secret that is not in the script" in ran.out
    assert not has_secret(made)
    assert made("run", written(tmp_path, "a", "real")).code == 0
    for command in (["run"], ["run", "--atomic"], ["runmqsc", "-f"]):
        assert made(*command, written(tmp_path, "b", HIDDEN)).code == 0
        assert has_secret(made)
    assert made("run", "-c", "ALTER CHANNEL(C) CHLTYPE(SDR) PASSWORD(' ')").code == 0
    assert not has_secret(made)
