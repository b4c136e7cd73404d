"""The calls of programs that set queue managers up, and the exit codes on which they act, one after
the other.

IBM's module for Ansible is the model: what is already as wanted is success (5, 8, 16, 40), and 72
means that the queue manager is to be created first.
"""

from __future__ import annotations

import shlex

from tests.mqsc import conftest
from tests.mqsc.conftest import Command

mqsc = conftest.mqsc
CREATE = "crtmqm -md /data -ld /log -lf 4096 -lp 3 -ls 2 -c 'for orders' QM1"
# The wanted state, a call, its exit code, and how its output begins on stdout and stderr together.
CALLS = [
    (
        "absent, from nothing",
        "dltmqm QM1",
        16,
        "AMQ8118E: IBM MQ queue manager 'QM1' does not exist.",
    ),
    (
        "stopped, from nothing",
        "endmqm QM1",
        16,
        "AMQ8118E: IBM MQ queue manager 'QM1' does not exist.",
    ),
    (
        "running, from nothing",
        "dspmq -m QM1",
        72,
        "AMQ7048E: The queue manager name is either not valid or not known.",
    ),
    ("running, from nothing", CREATE, 0, "IBM MQ queue manager 'QM1' created."),
    ("running, from nothing", "strmqm QM1", 0, "IBM MQ queue manager 'QM1' starting."),
    ("running again", "dspmq -m QM1", 0, "QMNAME(QM1) "),
    ("running again", "strmqm QM1", 5, "IBM MQ queue manager 'QM1' running."),
    ("present again", CREATE, 8, "crtmqm: ignored -md"),
    (
        "absent while it runs",
        "dltmqm QM1",
        5,
        "IBM MQ queue manager 'QM1' running; end it first with endmqm.",
    ),
    ("stopped", "endmqm QM1", 0, "IBM MQ queue manager 'QM1' ending."),
    ("stopped again", "endmqm QM1", 40, "AMQ8146E: IBM MQ queue manager 'QM1' not available."),
    ("a container starts", "dspmq -n -m QM1", 0, "QMNAME(QM1) "),
    ("a container starts", "strmqm -x QM1", 0, "IBM MQ queue manager 'QM1' starting."),
    ("a container stops", "endmqm -w -r -tp 27 QM1", 0, "IBM MQ queue manager 'QM1' ending."),
    ("absent", "dltmqm QM1", 0, "IBM MQ queue manager 'QM1' deleted."),
    ("absent again", "dltmqm QM1", 16, "AMQ8118E: IBM MQ queue manager 'QM1' does not exist."),
]


def test_every_call(mqsc: Command) -> None:
    found = []
    for wanted, call, _, begin in CALLS:
        ended = mqsc(*shlex.split(call))
        output = ended.out + ended.err
        found.append((wanted, call, ended.code, begin if begin in output else output))
    assert found == CALLS


def test_output_is_at_the_start_of_a_line(mqsc: Command) -> None:
    """Programs look for the number of a message there."""
    for _, call, _, begin in CALLS:
        ended = mqsc(*shlex.split(call))
        if begin.startswith("AMQ"):
            assert ended.err.startswith(begin), call


def test_a_program_is_connected_while_it_ends(mqsc: Command) -> None:
    from mqsc.store import open_store

    mqsc("qmgr", "create", "QM1")
    with open_store("sqlite:///store.db") as store, store.queue_manager("QM1").connect():
        assert mqsc("endmqm", "QM1").code == 0
        assert [mqsc(name, "QM1").code for name in ("strmqm", "dltmqm")] == [49, 49]


def test_runmqsc_of_no_queue_manager(mqsc: Command) -> None:
    """All on stdout, between the banner and the tally, as when the queue manager is not running."""
    mqsc("crtmqm", "QM1")
    ended = mqsc("runmqsc", "NOPE", stdin=b"DISPLAY QMGR\n")
    assert (ended.code, ended.err) == (20, "")
    assert ended.lines[1:] == [
        "Starting MQSC for queue manager NOPE.",
        "",
        "",
        "AMQ8118E: IBM MQ queue manager does not exist.",
        "No MQSC commands read.",
        "No commands have a syntax error.",
        "All valid MQSC commands were processed.",
    ]
