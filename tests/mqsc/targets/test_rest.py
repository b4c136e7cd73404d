"""Targets over REST: read, changed and undone as with IBM's programs; what goes wrong is a sentence."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import mqsc as mqsc_package
from mqsc.script import run
from tests.mqsc.conftest import Command
from tests.mqsc.export.test_round_trip import state
from tests.mqsc.targets.mqweb import PASSWORD, USER, Answer, Mqweb, refused

NAME = "PROD"
Body = Mapping[str, Any]
BEFORE = """DEFINE QLOCAL(OLD) DESCR('it''s (old), ''quoted''')
DEFINE QLOCAL(A) MAXDEPTH(7) TRIGGER PROCESS(P) INITQ(OLD) NOHARDENBO
DEFINE QLOCAL(mixed.Case)
ALTER QMODEL(SYSTEM.DEFAULT.MODEL.QUEUE) MAXDEPTH(77)
DEFINE QALIAS(AL) TARGET(A)
DEFINE QREMOTE(R) RNAME(X) RQMNAME(Y)
DEFINE PROCESS(P) APPLICID('it''s')
DEFINE NAMELIST(N) NAMES(A,OLD)
DEFINE NAMELIST(N0)
DEFINE CHANNEL(C) CHLTYPE(SVRCONN) MCAUSER('m')
DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME('h(1414)') QMNAME(PROD)
DEFINE CHANNEL(S) CHLTYPE(SDR) CONNAME('h1(1414),h2') XMITQ(OLD) COMPHDR(NONE)
DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1415)
DEFINE SERVICE(SV) STARTCMD('/bin/x')
DEFINE TOPIC(T) TOPICSTR('/a/''b''')
DEFINE SUB(SU) TOPICSTR('/a') DEST(A) SUBUSER(app)
DEFINE AUTHINFO(AI) AUTHTYPE(OCSP) OCSPURL('http://x')
ALTER QMGR DEADQ(OLD) DESCR('it''s')
SET CHLAUTH('C') TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(MAP) MCAUSER('u')
SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('a','b') ACTION(REPLACE)
SET AUTHREC PROFILE(OLD) OBJTYPE(QUEUE) GROUP('root') AUTHADD(GET,BROWSE)
SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT)
"""
FILES = """DEFINE QLOCAL(A) MAXDEPTH(9)
DEFINE QLOCAL(NEW) DESCR('a description that is longer than a line of runmqsc, by far')
DEFINE CHANNEL(C) CHLTYPE(SVRCONN) MCAUSER('n')
SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('root') AUTHADD(PUT)
"""


@pytest.fixture
def store(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path}/far.db"
    with mqsc_package.open_store(url, create=True) as far:
        run(far.create_queue_manager(NAME), BEFORE, check=True)
    return url


@pytest.fixture
def mqweb(tmp_path: Path, store: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mqweb]:
    """mqweb on the store, declared as the target `prod`, with the credentials in variables."""
    monkeypatch.setenv("MQSC_TARGET_USER", USER)
    monkeypatch.setenv("MQSC_TARGET_PASSWORD", PASSWORD)
    with Mqweb(store).running() as server:
        declare(tmp_path, server.url)
        yield server


def declare(folder: Path, url: str, *more: str) -> None:
    lines = ("[target.prod]", f'queue_manager = "{NAME}"', f'rest = "{url}"', *more)
    (folder / "targets.toml").write_text("\n".join(lines) + "\n")


def there(store: str) -> list[tuple[str, object]]:
    with mqsc_package.open_store(store) as far:
        return state(far.queue_manager(NAME))


def test_the_export_is_that_of_the_store(mqsc: Command, mqweb: Mqweb, store: str) -> None:
    over_rest = mqsc("export", "--on", "prod")
    here = mqsc("--store", store.removeprefix("sqlite:///"), "export")
    assert (over_rest.code, over_rest.err) == (0, "")
    assert over_rest.lines == here.lines
    assert all(each["command"] == "display" for each in mqweb.commands)


def test_apply_then_the_undo_script(
    mqsc: Command,
    mqweb: Mqweb,
    store: str,
    tmp_path: Path,
) -> None:
    before = there(store)
    (tmp_path / "defs.mqsc").write_text(FILES)
    apply = ("apply", "defs.mqsc", "--on", "prod")
    assert mqsc(*apply, "--plan").code == 2
    assert not mqweb.sent
    done = mqsc(*apply, "--yes")
    assert (done.code, "mqsc: prod: 4 commands sent, 4 done" in done.err) == (0, True)
    assert len(mqweb.sent) == 4
    assert "\n" not in "".join(mqweb.sent)
    assert mqsc("diff", "defs.mqsc", "--on", "prod", "--only-defined").code == 0
    again = mqsc(*apply, "--yes")
    assert (again.code, len(mqweb.sent)) == (0, 4)
    (undo,) = tmp_path.glob("undo-prod-*.mqsc")
    assert mqsc("run", undo.name, "--on", "prod", "--yes").code == 0
    assert there(store) == before
    written = "".join(path.read_text() for path in tmp_path.glob("undo-*"))
    assert PASSWORD not in done.out + done.err + written


def test_replies_are_those_of_mqweb(mqsc: Command, mqweb: Mqweb) -> None:
    ended = mqsc(
        *("run", "--on", "prod", "--yes", "-c", "DISPLAY QLOCAL(A) MAXDEPTH"),
        *("-c", "DELETE QLOCAL(OLD)"),
    )
    assert ended.code == 0
    assert "     1 : DISPLAY QLOCAL(A) MAXDEPTH" in ended.lines
    assert any(
        line.startswith("AMQ8409I: Display Queue details.   QUEUE(A)") for line in ended.lines
    )
    assert "AMQ8007I: IBM MQ queue deleted." in ended.lines


def test_a_command_that_fails_stops_none(
    mqsc: Command,
    mqweb: Mqweb,
    tmp_path: Path,
) -> None:
    (tmp_path / "defs.mqsc").write_text(FILES)

    def refuse_channels(body: Body) -> Answer | None:
        if body["type"] != "runCommand" or "CHANNEL" not in body["parameters"]["command"]:
            return None
        item = {"completionCode": 2, "reasonCode": 2035, "text": ["AMQ8135E: Not authorized."]}
        answer = {"commandResponse": [item], "overallCompletionCode": 2, "overallReasonCode": 3008}
        return 200, json.dumps(answer).encode(), None

    mqweb.answer = refuse_channels
    ended = mqsc("apply", "defs.mqsc", "--on", "prod", "--yes")
    assert (ended.code, "4 commands sent, 3 done" in ended.err) == (10, True)
    assert "AMQ8135E: Not authorized." in ended.out
    (undo,) = tmp_path.glob("undo-*.mqsc")
    assert "CHANNEL" not in undo.read_text()


@pytest.mark.parametrize(
    ("is_done", "answer"),
    [(True, (500, b"", None)), (True, (200, b"{}", 1)), (False, refused(401, "MQWB0104E"))],
)
def test_an_answer_that_is_lost_is_found_out_by_reading(
    mqsc: Command,
    mqweb: Mqweb,
    store: str,
    is_done: bool,
    answer: Answer,
) -> None:
    """A command whose answer is lost may have been carried out; one that is refused has not."""

    def lose(body: Body) -> Answer | None:
        if body["type"] != "runCommand":
            return None
        if is_done:
            with mqsc_package.open_store(store) as far:
                run(far.queue_manager(NAME), body["parameters"]["command"], check=True)
        return answer

    mqweb.answer = lose
    ended = mqsc("run", "--on", "prod", "--yes", "-c", "DEFINE QLOCAL(B)")
    assert ended.code == (0 if is_done else 20)
    assert ("1 command sent, 1 done" in ended.err) == is_done


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (refused(401, "MQWB0104E"), "mqweb does not accept the user or the password"),
        (refused(403, "MQWB0108E"), "not authorized: the user has no role of mqweb for this"),
        (refused(403, "MQWB0999E"), "not authorized: mqweb refuses the user (HTTP 403)"),
        (refused(403, "MQWB0100E"), "the header ibm-mq-rest-csrf-token did not arrive"),
        (refused(404, "MQWB0009E"), "the queue manager PROD does not exist there"),
        ((404, b"<html>", None), "there is no REST API of mqweb at this URL (HTTP 404)"),
        (refused(503, "MQWB0010E"), "the queue manager PROD is not running"),
        (refused(500, "MQWB0007E", "a\x1b[2Jb"), "mqweb failed with HTTP 500: MQWB0007E: a"),
        ((302, b"", None), "mqweb failed with HTTP 302"),
        ((200, b'{"commandResponse": []}', 9), "mqweb cut its answer"),
        ((200, b'{"commandResponse": [', None), "the answer is not that of mqweb: it is cut"),
        ((200, b"<html>", None), "the answer is not that of mqweb"),
        ((200, b'{"commandResponse": [5]}', None), "the answer is not that of mqweb"),
        ((200, b'{"commandResponse": {}}', None), "mqweb shows nothing of PROD"),
        (
            (200, b'{"commandResponse": [{"completionCode": 2, "reasonCode": 2035}]}', None),
            "DISPLAY QMGR: 2035",
        ),
    ],
)
def test_n17_one_sentence_and_nothing_sent(
    mqsc: Command,
    mqweb: Mqweb,
    tmp_path: Path,
    answer: Answer,
    said: str,
) -> None:
    (tmp_path / "defs.mqsc").write_text(FILES)
    mqweb.answer = lambda _: answer
    ended = mqsc("apply", "defs.mqsc", "--on", "prod", "--yes")
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (20, "", 1)
    assert ended.err.startswith(f"mqsc: prod: {said}")
    assert PASSWORD not in ended.err
    assert "\x1b" not in ended.err
    assert not mqweb.sent


def test_n17_a_slow_answer(mqsc: Command, mqweb: Mqweb) -> None:
    mqweb.answer = lambda _: hang(mqweb)
    ended = mqsc("target", "test", "prod", "--timeout", "0.3")
    assert ended.code == 20
    assert ended.lines == [
        "✗  states       prod: mqweb has not answered after 0.3 s",
        "✗  definitions  prod: mqweb has not answered after 0.3 s",
    ]


def hang(server: Mqweb) -> Answer:
    """No answer before the server ends."""
    server.ended.wait()
    return 200, b"", None


def test_n17_nobody_listens(mqsc: Command, mqweb: Mqweb, tmp_path: Path) -> None:
    declare(tmp_path, "http://localhost:1")
    ended = mqsc("export", "--on", "prod")
    assert (ended.code, "prod: localhost cannot be reached: " in ended.err) == (20, True)


def test_n17_a_certificate_of_its_own_must_be_named(
    mqsc: Command,
    mqweb: Mqweb,
    store: str,
    tmp_path: Path,
) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl makes the certificate")
    file = tmp_path / "certificate.pem"
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=mqweb".split()
    name = ("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", file, "-out", tmp_path / "cert")
    subprocess.run([openssl, *words, *name], check=True, capture_output=True)
    with file.open("a") as key_and_certificate:
        key_and_certificate.write((tmp_path / "cert").read_text())
    with Mqweb(store, file).running() as server:
        declare(tmp_path, server.url)
        refusal = mqsc("export", "--on", "prod")
        assert (refusal.code, server.commands) == (20, [])
        assert "the certificate of 127.0.0.1 is not trusted (self-signed" in refusal.err
        declare(tmp_path, server.url, 'cacert = "cert"')
        assert mqsc("export", "--on", "prod").code == 0
        server.answer = lambda _: hang(server)
        slow = mqsc("target", "test", "prod", "--timeout", "0.5")
        assert slow.lines[0] == "✗  states       prod: mqweb has not answered after 0.5 s"
        declare(tmp_path, server.url, 'cacert = "targets.toml"')
        wrong = mqsc("export", "--on", "prod")
        assert (wrong.code, "targets.toml: has no certificates" in wrong.err) == (20, True)


def test_n22_credentials_are_in_a_file_of_the_user_alone(
    mqsc: Command,
    mqweb: Mqweb,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("MQSC_TARGET_PASSWORD")
    missing = mqsc("export", "--on", "prod")
    assert (missing.code, "set MQSC_TARGET_USER and MQSC_TARGET_PASSWORD" in missing.err) == (20, 1)
    file = tmp_path / "login"
    file.write_text(f"{USER}\n{PASSWORD}\n")
    file.chmod(0o640)
    declare(tmp_path, mqweb.url, 'credentials = "login"')
    refusal = mqsc("export", "--on", "prod")
    assert (refusal.code, "others can read" in refusal.err) == (20, True)
    assert PASSWORD not in refusal.err
    assert not mqweb.commands
    file.chmod(0o600)
    assert mqsc("export", "--on", "prod").code == 0
    file.write_text(USER)
    short = mqsc("export", "--on", "prod")
    assert (short.code, "the password in its second" in short.err) == (20, True)


def test_a_target_is_added_tried_and_watched(
    mqsc: Command,
    mqweb: Mqweb,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert mqsc("target", "add", "web", "-m", NAME, "--rest", mqweb.url).code == 0
    assert mqsc("target", "list", "--format", "json").rows[0]["rest"] == mqweb.url
    tried = mqsc("target", "test", "web")
    assert (tried.code, [line.split()[1] for line in tried.lines]) == (0, ["states", "definitions"])
    assert "version 09040200 on UNIX" in tried.out
    assert mqsc("fleet", "web").code == 0
    assert mqsc("snapshot", "--on", "web").code == 0
    messages = mqsc("browse", "A", "--on", "web")
    assert (messages.code, "messages are not read over REST; use via" in messages.err) == (20, True)
    refusal = mqsc("target", "add", "both", "-m", NAME, "--rest", mqweb.url, "--via", "x")
    assert (refusal.code, "via and rest cannot be used together" in refusal.err) == (20, True)


def test_what_the_catalog_does_not_know_is_kept(mqsc: Command, mqweb: Mqweb) -> None:
    def newer(body: Body) -> Answer | None:
        if (body["command"], body["qualifier"]) != ("display", "qremote"):
            return None
        values = {"newattr": "it's) X(1", "neword": "WORD", "queue": "R"}
        items = [{"completionCode": 0, "reasonCode": 0, "parameters": values}]
        return 200, json.dumps({"commandResponse": items}).encode(), None

    mqweb.answer = newer
    exported = mqsc("export", "--on", "prod")
    assert exported.code == 0
    assert "NEWATTR('it''s) X(1')" in exported.out
    assert "NEWORD(WORD)" in exported.out
