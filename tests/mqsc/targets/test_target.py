"""The words that call a program: they stay words, behind ssh too (N10)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mqsc.targets.target import Target, through

WORDS = ("two words", "it's", "a;b", "$(touch evil)", "`id`", '"', "*", "", "\\", "a\nb")


@pytest.mark.parametrize(
    ("via", "words"),
    [
        ((), ["runmqsc", "QM 1"]),
        (("docker", "exec", "-i", "mq"), ["docker", "exec", "-i", "mq", "runmqsc", "QM 1"]),
        (("ssh", "mqm@host"), ["ssh", "mqm@host", "runmqsc", "'QM 1'"]),
        (
            ("ssh", "-p", "22", "-v", "-p22", "host", "sudo", "-u", "m q"),
            ["ssh", "-p", "22", "-v", "-p22", "host", "sudo", "-u", "'m q'", "runmqsc", "'QM 1'"],
        ),
        (
            ("sudo", "/usr/bin/ssh", "a", "ssh", "b"),
            ["sudo", "/usr/bin/ssh", "a", "ssh", "b", "runmqsc", "''\"'\"'QM 1'\"'\"''"],
        ),
    ],
)
def test_the_words_of_a_call(via: tuple[str, ...], words: list[str]) -> None:
    assert through(via, ["runmqsc", "QM 1"]) == words


def test_programs_and_arguments_of_a_target() -> None:
    target = Target(
        "prod",
        "QM1",
        ("sudo", "-u", "mqm"),
        programs={"runmqsc": "/opt/mqm/bin/runmqsc"},
        arguments={"runmqsc": ("-c",)},
    )
    assert target.words("runmqsc", ["QM1"]) == [
        "sudo",
        "-u",
        "mqm",
        "/opt/mqm/bin/runmqsc",
        "-c",
        "QM1",
    ]
    assert target.words("dmpmqcfg", []) == ["sudo", "-u", "mqm", "dmpmqcfg"]


@pytest.mark.parametrize("levels", [0, 1, 2])
def test_words_stay_words_through_shells_of_other_hosts(tmp_path: Path, levels: int) -> None:
    """N10: ssh joins what follows the host, and a shell there reads it."""
    for name, text in (("ssh", 'shift; exec sh -c "$*"'), ("show", "printf '<%s>' \"$@\"")):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        program.chmod(0o700)
    via = (str(tmp_path / "ssh"), "host") * levels
    words = through(via, [str(tmp_path / "show"), *WORDS])
    printed = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert printed.stdout == "".join(f"<{word}>" for word in WORDS)
    assert not (tmp_path / "evil").exists()
