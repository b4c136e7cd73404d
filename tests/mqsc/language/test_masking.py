"""Secrets are masked: on one line, over several lines, and in commands with syntax errors."""

import pytest

from grammar.lines import LogicalLine, logical_lines
from mqsc.language.command_table import COMMANDS
from mqsc.language.refusal import masked, masked_source, secret_keywords
from mqsc.script import run
from mqsc.verbs.analysis import syntax_of

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
        ("ALTER CHANNEL(A) PASSWRD('x y') DESCR('d')", f"ALTER CHANNEL(A) PASSWRD({STARS}) DESCR('d')"),
        ("DEFINE AUTHINFO(A) LDAPPW='x'", f"DEFINE AUTHINFO(A) LDAPPW={STARS}"),
        ("DISPLAY CHL(*) WHERE(PASWORD EQ 'x')", f"DISPLAY CHL(*) WHERE(PASWORD EQ {STARS})"),
        ("ALTER QMGR KEYRPW(a) KEYRPWD(b)", f"ALTER QMGR KEYRPW({STARS}) KEYRPWD({STARS})"),
        ("DISPLAY QMGR KEYRPWD EQUAL", "DISPLAY QMGR KEYRPWD EQUAL"),
        ("DISPLAY QMGR KEYRPWD SSLKEYR", "DISPLAY QMGR KEYRPWD SSLKEYR"),
        # A value in quotes is not a keyword, even if it looks like one.
        ("SET AUTHREC PRINCIPAL('app') OBJTYPE(QMGR)", "SET AUTHREC PRINCIPAL('app') OBJTYPE(QMGR)"),
        ("ALTER AUTHINFO(A) CONNAME('ldap(389)')", "ALTER AUTHINFO(A) CONNAME('ldap(389)')"),
        (
            "ALTER AUTHINFO(A) LDAPPW('x') CONNAME('ldap(389)')",
            f"ALTER AUTHINFO(A) LDAPPW({STARS}) CONNAME('ldap(389)')",
        ),
        # Without its closing quote, a description goes on to the quote that opens the secret.
        (
            "ALTER AUTHINFO(A) DESCR('users) LDAPPWDX(')pw')",
            f"ALTER AUTHINFO(A) DESCR('users) LDAPPWDX({STARS})",
        ),
        (
            "ALTER AUTHINFO(A) DESCR('users) LDAPPWD(' pw')",
            f"ALTER AUTHINFO(A) DESCR('users) LDAPPWD({STARS})",
        ),
        (
            "ALTER CHL(A) DESCR('a password') MCAUSER('it''s app')",
            "ALTER CHL(A) DESCR('a password') MCAUSER('it''s app')",
        ),
        (
            "ALTER CHL(A) MCAUSER('app') PASSWORD('x') DESCR('d')",
            f"ALTER CHL(A) MCAUSER('app') PASSWORD({STARS}) DESCR('d')",
        ),
        ("ALTER QMGR DESCR('app KEYRPWD(x)')", f"ALTER QMGR DESCR('app KEYRPWD({STARS})')"),
        ("ALTER QMGR DESCR('open) KEYRPWD('x') SSLKEYR('y')", f"ALTER QMGR DESCR('open) KEYRPWD({STARS}) SSLKEYR('y')"),
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


def test_only_secret_keywords_are_masked() -> None:
    words = {word for verb, nouns in COMMANDS.items() for noun in nouns for word in syntax_of(verb, noun).words}
    shown = {word for word in words if masked(f"X {word}('a')") == f"X {word}('a')"}
    assert words - shown == words & secret_keywords()


def test_a_misspelt_secret_is_masked_in_the_reply() -> None:
    (reply,) = run(None, "DEFINE CHANNEL(A) CHLTYPE(SDR) PASSWRD('geheim')")
    assert reply.completion == 2
    assert "geheim" not in reply.text + reply.command
