"""Where targets are declared, and declarations that are refused (N22)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mqsc.console.config import read_again
from mqsc.targets.declared import password_line, shared_files, target_named, targets
from mqsc.targets.target import Target, TargetError


def declare(file: Path, *lines: str, name: str = "prod") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join((f"[target.{name}]", *lines)) + "\n", "utf-8")
    read_again()
    return file


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the user's settings; the current folder is empty."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return tmp_path / "config" / "mqsc" / "config.toml"


def test_a_target_has_all_that_its_table_says(own: Path) -> None:
    declare(
        own,
        'queue_manager = "PROD"',
        "via = \"ssh 'mqm@host 1'\"",
        'definitions = ["defs"]',
        'credentials = "/secret"',
        'programs = { runmqsc = "/opt/mqm/bin/runmqsc" }',
        'arguments = { dmpmqcfg = "-c default", runmqsc = ["-c", "-u", "app"] }',
    )
    assert target_named("prod") == Target(
        "prod",
        "PROD",
        ("ssh", "mqm@host 1"),
        programs={"runmqsc": "/opt/mqm/bin/runmqsc"},
        arguments={"dmpmqcfg": ("-c", "default"), "runmqsc": ("-c", "-u", "app")},
        definitions=(str(own.parent / "defs"),),
        credentials="/secret",
        declared_in=str(own),
    )


def test_files_beside_definitions_count_up_to_the_root_of_the_repository(
    own: Path,
    tmp_path: Path,
) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    deep = tmp_path / "repo" / "defs" / "queues"
    for folder, qmgr in (("repo/defs/queues", "DEEP"), ("repo", "ROOT"), ("", "OUTSIDE")):
        declare(tmp_path / folder / "targets.toml", f'queue_manager = "{qmgr}"')
    declare(tmp_path / "repo" / "targets.toml", 'queue_manager = "ROOT"', name="other")
    (deep / "orders.mqsc").touch()
    beside = [str(deep / "orders.mqsc")]
    assert [file.parent.name for file in shared_files(beside)] == ["queues", "repo"]
    found = targets(beside)
    assert {name: each.queue_manager for name, each in found.items()} == {
        "prod": "DEEP",
        "other": "ROOT",
    }
    assert targets() == {}
    # A folder of others cannot replace one's own target.
    declare(own, 'queue_manager = "OWN"')
    assert targets(beside)["prod"].queue_manager == "OWN"


def test_a_file_of_another_user_is_refused(own: Path) -> None:
    """It says what is started; one's own targets can be used in spite of it."""
    if os.geteuid():
        pytest.skip("only root can give a file away")
    file = declare(Path("targets.toml"), 'queue_manager = "QM1"').resolve()
    os.chown(file, 65534, -1)
    with pytest.raises(TargetError, match=f"{file} belongs to another user"):
        targets()
    declare(own, 'queue_manager = "OWN"')
    assert target_named("prod").queue_manager == "OWN"


def test_files_that_have_nothing_to_do_with_each_other(own: Path, tmp_path: Path) -> None:
    """The definitions of somebody else cannot say what prod is."""
    declare(Path("targets.toml"), 'queue_manager = "PROD"')
    declare(tmp_path / "theirs" / "targets.toml", 'queue_manager = "PROD"', 'via = "evil"')
    beside = [str(tmp_path / "theirs" / "orders.mqsc")]
    with pytest.raises(TargetError, match="both declare prod"):
        target_named("prod", beside)
    assert target_named("prod").via == ()
    declare(own, 'queue_manager = "OWN"')
    assert target_named("prod", beside).queue_manager == "OWN"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("queue_manager = 5", 'target.prod.queue_manager: write a text in quotes, such as "..."'),
        (
            'queue_manager = "A B"',
            'target.prod.queue_manager: name the queue manager, such as "QM1"',
        ),
        ('vai = "x"', "target.prod.vai: did you mean via?"),
        ('password = "x"', "target.prod.password: secrets do not belong in this file"),
        ('api_key = "x"', "target.prod.api_key: secrets do not belong in this file"),
        ("via = 'a \"b'", "target.prod.via: 'a \"b': No closing quotation"),
        ("via = [1]", "target.prod.via: write a list of words"),
        ('via = "a\\u0000"', "target.prod.via: no word may contain a zero byte"),
        ('programs = "x"', "target.prod.programs: write a table of programs"),
        ('programs = { runmqsk = "x" }', "target.prod.programs.runmqsk: did you mean runmqsc?"),
        ('arguments = { runmqsc = "-f x" }', "target.prod.arguments.runmqsc: -f cannot be added"),
        ('arguments = { runmqsc = "-cf x" }', "target.prod.arguments.runmqsc: -cf cannot be added"),
        ('arguments = { runmqsc = "-uapp" }', "target.prod.arguments.runmqsc: -uapp cannot be"),
        ('arguments = { dmpmqmsg = "-IQ" }', "target.prod.arguments.dmpmqmsg: -IQ cannot be added"),
        ('arguments = { dmpmqmsg = "-p" }', "target.prod.arguments.dmpmqmsg: -p cannot be added"),
        ('rest = "http://h"', "target.prod.rest: http:// is for this host only; use https://"),
        ('rest = "h:9443"', "target.prod.rest: write the URL of mqweb without /ibmmq, such as"),
        ('rest = "https://h:x"', "target.prod.rest: write the URL of mqweb"),
        ('rest = "https://h/ibmmq/rest"', "target.prod.rest: write the URL of mqweb"),
        ('rest = "https://h"\nvia = "x"', "target.prod: via and rest cannot be used together"),
        ('cacert = "x"', "target.prod.cacert: it is for rest only"),
        ('rest = "https://a:b@h"', "target.prod.rest: leave user and password out of the URL"),
    ],
)
def test_what_is_wrong_is_named_by_file_and_key(own: Path, line: str, said: str) -> None:
    first = () if line.startswith("queue_manager") else ('queue_manager = "QM1"',)
    file = declare(Path("targets.toml"), *first, line).resolve()
    with pytest.raises(TargetError) as refused:
        targets()
    assert refused.value.message.startswith(f"{file}: {said}")
    assert refused.value.exit_code == 20


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = ", "Invalid value"),
        ("[targets.prod]\n", "targets: only tables [target.NAME] belong here"),
        ("target = 5\n", "target: a target is a table [target.NAME]"),
        ("[target]\nprod = 1\n", "target: a target is a table [target.NAME]"),
        ('[target."a b"]\nqueue_manager = "Q"\n', "target.a b: a name has letters"),
    ],
)
def test_a_file_that_declares_no_targets_is_refused(own: Path, text: str, said: str) -> None:
    Path("targets.toml").write_text(text, "utf-8")
    with pytest.raises(TargetError, match=r"targets\.toml: ") as refused:
        targets()
    assert said in refused.value.message


def test_an_unknown_target_is_an_error_with_the_known_ones(own: Path) -> None:
    with pytest.raises(TargetError, match="there is no target 'prod'; `mqsc target add`"):
        target_named("prod")
    declare(own, 'queue_manager = "QM1"')
    with pytest.raises(TargetError, match=r"'prd'; did you mean prod\?"):
        target_named("prd")


def with_user(credentials: str = "") -> Target:
    return Target("t", "QM1", arguments={"runmqsc": ("-u", "app")}, credentials=credentials)


def test_passwords_come_from_a_private_file_or_the_environment(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """N22: a file that others can read is refused, and its content is in no error."""
    assert password_line(Target("t", "QM1"), "runmqsc") == b""
    assert password_line(with_user(), "dmpmqcfg") == b""
    monkeypatch.delenv("MQSC_TARGET_PASSWORD", raising=False)
    with pytest.raises(TargetError, match="needs a password"):
        password_line(with_user(), "runmqsc")
    monkeypatch.setenv("MQSC_TARGET_PASSWORD", "pässword")
    assert password_line(with_user(), "runmqsc") == "pässword\n".encode()
    file = tmp_path / "secret"
    file.write_text("s3cret\r\nmore\n")
    for mode in (0o644, 0o640, 0o602):
        os.chmod(file, mode)
        with pytest.raises(
            TargetError, match=r"others can read .*secret; use chmod 600"
        ) as refused:
            password_line(with_user(str(file)), "runmqsc")
        assert "s3cret" not in refused.value.message
    os.chmod(file, 0o600)
    assert password_line(with_user(str(file)), "runmqsc") == b"s3cret\n"
    with pytest.raises(TargetError, match="No such file"):
        password_line(with_user(str(tmp_path / "none")), "runmqsc")


def test_a_password_of_several_lines_is_refused(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its second line would be a command."""
    monkeypatch.setenv("MQSC_TARGET_PASSWORD", "geheim\nDELETE QLOCAL(A)")
    target = Target("t", "QM1", arguments={"runmqsc": ("-u", "app")})
    with pytest.raises(TargetError, match="MQSC_TARGET_PASSWORD has more than one line") as refused:
        password_line(target, "runmqsc")
    assert "geheim" not in refused.value.message
