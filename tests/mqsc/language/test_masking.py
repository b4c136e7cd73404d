"""Secrets never leave: not in one line, not over several, not in a command that cannot be read."""

import pytest

from grammar.lines import LogicalLine, logical_lines
from mqsc.language.masking import masked, masked_source
from mqsc.script import run

STARS = "********"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ALTER QMGR KEYRPWD('top secret') DESCR('x')", f"ALTER QMGR KEYRPWD({STARS}) DESCR('x')"),
        ("alter qmgr keyrpwd ( geheim )", f"alter qmgr keyrpwd ( {STARS})"),
        ("ALTER QMGR KEYRPWD('it''s) secret')", f"ALTER QMGR KEYRPWD({STARS})"),
        ("ALTER QMGR KEYRPWD('never closed", f"ALTER QMGR KEYRPWD({STARS}"),
        ("ALTER QMGR KEYRPWD(never closed", f"ALTER QMGR KEYRPWD({STARS}"),
        ("ALTER QMGR KEYRPWD 'geheim' DESCR('x')", f"ALTER QMGR KEYRPWD {STARS} DESCR('x')"),
        ("ALTER QMGR KEYRPWD='ge heim' FORCE", f"ALTER QMGR KEYRPWD={STARS} FORCE"),
        ("ALTER QMGR KEYRPWD = geheim FORCE", f"ALTER QMGR KEYRPWD = {STARS} FORCE"),
        ("ALTER QMGR KEYRPWD('')", "ALTER QMGR KEYRPWD('')"),
        ("ALTER CHANNEL(A) PASSWORD(x) USERID(u)", f"ALTER CHANNEL(A) PASSWORD({STARS}) USERID(u)"),
        ("DEFINE QLOCAL(MYPASSWORD)", "DEFINE QLOCAL(MYPASSWORD)"),
        ("DISPLAY CHL(*) WHERE(PASSWORD EQ 'a)b') ALL", f"DISPLAY CHL(*) WHERE(PASSWORD EQ {STARS}) ALL"),
        ("DIS CHL(*) WHERE ( password,lk geh* )", f"DIS CHL(*) WHERE ( password,lk {STARS})"),
        ("DISPLAY QMGR KEYRPWD EQUAL", "DISPLAY QMGR KEYRPWD EQUAL"),
        ("DISPLAY QMGR KEYRPWD SSLKEYR", "DISPLAY QMGR KEYRPWD SSLKEYR"),
    ],
)
def test_masked(text: str, shown: str) -> None:
    assert masked(text) == shown


def test_a_secret_continued_over_lines_is_masked_in_each() -> None:
    (line,) = logical_lines(["ALTER QMGR KEYRPWD('top +", "* a remark", "   secret') DESCR('x')"])
    assert isinstance(line, LogicalLine)
    assert masked_source(line) == (f"ALTER QMGR KEYRPWD({STARS}+", "* a remark", f"   {STARS}) DESCR('x')")


def test_a_secret_in_the_second_command_of_a_line_is_masked_there() -> None:
    first, second = logical_lines(["PING QMGR; ALTER QMGR KEYRPWD('geheim')"])
    assert isinstance(first, LogicalLine)
    assert isinstance(second, LogicalLine)
    assert masked_source(first) == ("PING QMGR;",)
    assert masked_source(second) == (f" ALTER QMGR KEYRPWD({STARS})",)


@pytest.mark.parametrize(
    "text",
    [
        "ALTER QMGR KEYRPWD(geh$eim)",
        "ALTER QMGR KEYRPWD('geh$eim'",
        "ALTER QMGR KEYRPWD 'geh$eim'",
        "ALTER QMGR KEYRPWD='geh$eim'",
        "ALTER QMGR KEYRPWD=geh$eim",
        "ALTER QMGR KEYRPWD('geh$eim') KEYRPWD('geh$eim')",
        f"ALTER QMGR KEYRPWD('{'geh$eim' * 200}')",
        "ALTER QMGR KEYRPWD('geh$eim','geh$eim')",
    ],
)
def test_no_reply_repeats_a_secret(text: str) -> None:
    (reply,) = run(None, text)
    assert reply.completion == 2
    assert "geh$" not in reply.text + reply.command
