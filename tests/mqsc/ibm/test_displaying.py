"""`dspmq`: what it shows with each option, in the layout that programs which watch queue
managers parse.
"""

from __future__ import annotations

import os
import re
import sys

import pytest

from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.rows import rows

mqsc = conftest.mqsc
INSTALLATION = f"INSTNAME(Installation1) INSTPATH({sys.prefix}) INSTVER(9.4.2.0)"
INSTANCE = f"    INSTANCE({os.uname().nodename}) MODE(Active)"


@pytest.fixture(autouse=True)
def _managers(mqsc: Command) -> None:
    """QM1, the default, runs; QM2 was ended."""
    mqsc("qmgr", "create", "QM1")
    mqsc("qmgr", "create", "QM2")
    mqsc("endmqm", "QM2")


def line(name: str, facts: str) -> str:
    """The line of a queue manager: its facts begin in column 59."""
    return f"{f'QMNAME({name})':<58}{facts}"


@rows(
    ("", "STATUS(Running)"),
    ("-s", "STATUS(Running)"),
    ("-o status", "STATUS(Running)"),
    ("-n", "STATUS(RUNNING)"),
    ("-o default", "DEFAULT(yes)"),
    ("-o d -n", "DEFAULT(YES)"),
    ("-o standby", "STANDBY(Not permitted)"),
    ("-o standby -n", "STANDBY(NOT PERMITTED)"),
    ("-o installation", INSTALLATION),
    ("-o inst -n", INSTALLATION),
    ("-o installation -s", f"STATUS(Running) {INSTALLATION}"),
    ("-o ha", "HA()"),
    ("-o dr", "DRROLE()"),
    ("-o nativeha", "ROLE(Not configured) INSTANCE() INSYNC() QUORUM()"),
    ("-o all", f"STATUS(Running) DEFAULT(yes) STANDBY(Not permitted) {INSTALLATION}"),
    ("-o all -n", f"STATUS(RUNNING) DEFAULT(YES) STANDBY(NOT PERMITTED) {INSTALLATION}"),
)
def test_facts(mqsc: Command, options: str, facts: str) -> None:
    ended = mqsc("dspmq", "-m", "QM1", *options.split())
    assert (ended.code, ended.lines, ended.err) == (0, [line("QM1", facts)], "")


def test_an_ended_queue_manager_has_no_instance(mqsc: Command) -> None:
    facts = f"STATUS(ENDED NORMALLY) DEFAULT(NO) STANDBY(NOT APPLICABLE) {INSTALLATION}"
    assert mqsc("dspmq", *"-x -o all -n -m QM2".split()).lines == [line("QM2", facts)]


@rows("-x", "-x -o status", "-o status -x")
def test_instances(mqsc: Command, options: str) -> None:
    shown = [line("QM1", "STATUS(Running)"), INSTANCE, line("QM2", "STATUS(Ended normally)")]
    assert mqsc("dspmq", *options.split()).lines == shown


def test_only_active_ones(mqsc: Command) -> None:
    ended = mqsc("dspmq", "-a")
    assert (ended.code, ended.lines) == (5, [line("QM1", "STATUS(Running)")])


def test_a_store_that_is_missing_has_no_queue_managers(mqsc: Command) -> None:
    ended = mqsc("dspmq", "--store", "none.db")
    assert (ended.code, ended.out) == (0, "")
    assert "there is no store" in ended.err
    ended = mqsc("dspmq", "--store", "none.db", "-m", "QM1")
    assert (ended.code, ended.out) == (72, "")
    assert ended.err.startswith(
        "AMQ7048E: The queue manager name is either not valid or not known.\n",
    )


# How a program that watches queue managers reads the two kinds of lines.
MANAGER = re.compile(
    r"QMNAME\((.*?)\)\s+STATUS\((.*?)\)\s+DEFAULT\((.*?)\)\s+STANDBY\((.*?)\)"
    r"\s+INSTNAME\((.*?)\)\s+INSTPATH\((.*?)\)\s+INSTVER\((.*?)\)",
)
ANY_INSTANCE = re.compile(r"\s+INSTANCE\((.*?)\)\s+MODE\((.*?)\)")


def test_a_program_reads_every_line(mqsc: Command) -> None:
    lines = mqsc("dspmq", *"-o all -x -n".split()).lines
    assert [bool(MANAGER.fullmatch(each)) for each in lines] == [True, False, True]
    assert [bool(ANY_INSTANCE.fullmatch(each)) for each in lines] == [False, True, False]
