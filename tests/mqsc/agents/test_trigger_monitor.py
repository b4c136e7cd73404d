"""The trigger monitor with real programs: what it starts, what it rejects, and what it records
in the history.
"""

from __future__ import annotations

import pytest

from mqsc.agents.trigger_monitor import MonitorSettings, TriggerMonitor
from mqsc.console.text.reasons import error_text
from mqsc.store.constants import MQOO, MQRC
from mqsc.store.error import MQError
from mqsc.store.headers import mqtm
from tests.mqsc.agents.conftest import ONCE, Monitor
from tests.mqsc.agents.scripts import TELL, WAIT, Scripts, wait_until
from tests.rows import rows


@pytest.mark.parametrize("safe", [False, True])
def test_a_program_is_started_with_its_words(
    monitor: Monitor,
    scripts: Scripts,
    safe: bool,
) -> None:
    appl_id = scripts.make("serve.py", TELL) + " first"
    monitor.process(appl_id, "-v 'two words'", USERDATA="for P1")
    assert monitor.run(MonitorSettings("INIT1", once=True, safe=safe)) == ["started", "ended"]
    ((first, told, *rest),) = scripts.told
    assert (first, len(told), rest) == ("first", 732, ["-v", "two words"])
    values = mqtm.MQTMC2.unpack(told.encode(), 546, 1208).values()
    assert [*values] == ["APPQ", "P1", "for APPQ", "", appl_id, "-v 'two words'", "for P1", "QM1"]
    monitor.play.run("depth INIT1 => 0\ndepth DLQ => 0")


def test_the_history_tells_of_programs(monitor: Monitor, scripts: Scripts) -> None:
    appl_id = scripts.make("serve.py", TELL + "\nsys.exit(3)")
    monitor.process(appl_id)
    monitor.run()
    (started, ended) = monitor.told("PROGRAM")
    number = started[3]["process_id"]
    assert started == (
        "started",
        "APPQ",
        None,
        {"process": "P1", "program": appl_id, "process_id": number},
    )
    assert (ended[:3], ended[3]["process_id"], ended[3]["exit_status"]) == (
        ("ended", "APPQ", None),
        number,
        3,
    )
    assert 0 < ended[3]["run_time"] < 60_000_000
    assert "timed_out" not in ended[3]


REFUSED = [
    ("T57", "APPLTYPE(WINDOWSNT) APPLICID('/bin/true')", 267),
    ("T57 a number", "APPLTYPE(65536) APPLICID('/bin/true')", 267),
    ("T58", "APPLICID('/no/such')", 265),
    ("T58 a folder", "APPLICID('/')", 265),
    ("T58 not executable", "APPLICID('/etc/passwd')", 265),
    ("T58 blank", "APPLICID(' ')", 265),
    ("T58 256 long", f"APPLICID('/{'x' * 255}')", 265),
    ("T58 quotes", "APPLICID('serve \"$(id)')", 265),
    ("T58 ENVRDATA", "APPLICID('/bin/true') ENVRDATA('it''s')", 265),
]


@rows(*((*row, safe) for row in REFUSED for safe in (False, True)))
def test_what_starts_nothing_goes_to_the_dead_letter_queue(
    monitor: Monitor,
    id: str,
    changes: str,
    reason: int,
    safe: bool,
) -> None:
    monitor.play.run(f"ALTER PROCESS(P1) {changes}\nput m1 on APPQ")
    assert monitor.run(MonitorSettings("INIT1", once=True, safe=safe)) == ["failed"]
    monitor.play.run(f"dlq DLQ => INIT1/{reason}/MQTRIG\ndepth INIT1 => 0")
    ((cause, queue, told, detail),) = monitor.told("PROGRAM")
    assert (cause, queue, told, detail["process"]) == ("failed", "APPQ", reason, "P1")
    assert monitor.told("DEAD_LETTER") == [
        ("monitor", "APPQ", reason, {"put_event": monitor.last_put("DLQ")}),
    ]


def test_t59_junk_and_the_loop_goes_on(monitor: Monitor, scripts: Scripts) -> None:
    monitor.process(scripts.make("serve.py", TELL), then="put 10-of-junk on INIT1\nput m1 on APPQ")
    assert monitor.run() == ["failed", "started", "ended"]
    monitor.play.run("dlq DLQ => INIT1/266/")
    assert monitor.told("DEAD_LETTER") == [
        ("monitor", "INIT1", 266, {"put_event": monitor.last_put("DLQ")}),
    ]
    assert len(scripts.told) == 1


def test_the_context_of_a_dead_letter_is_that_of_the_trigger_message(monitor: Monitor) -> None:
    monitor.process("/no/such")
    monitor.run()
    monitor.play.run(
        "get from DLQ => put_appl_type=7 put_appl_name=QM1 format=MQDEAD priority=0 reason=265",
    )


def test_t60_the_monitor_goes_on_at_once(monitor: Monitor, scripts: Scripts) -> None:
    monitor.process(scripts.make("wait.py", TELL + WAIT), "-v &", "put m1 on APPQ\nput m2 on APPQ")
    events = monitor.run(then=lambda: scripts.let_through(2) if len(monitor.reports) == 2 else None)
    assert events == ["started", "started", "ended", "ended"]
    assert [words[1:] for words in scripts.told] == [["-v"], ["-v"]]


@rows(("", ONCE), ("&", MonitorSettings("INIT1", once=True, max_running=1)))
def test_it_waits_for_a_program_without_an_ampersand_or_for_room(
    monitor: Monitor,
    scripts: Scripts,
    env_data: str,
    settings: MonitorSettings,
) -> None:
    monitor.process(scripts.make("serve.py", TELL), env_data, "put m*3 on APPQ")
    assert monitor.run(settings) == ["started", "ended"] * 3


def test_a_program_that_takes_too_long(monitor: Monitor, scripts: Scripts) -> None:
    monitor.process(scripts.make("wait.py", "import signal\nsignal.pause()"))
    assert monitor.run(MonitorSettings("INIT1", once=True, timeout=0.1)) == ["started", "ended"]
    (_, ended) = monitor.told("PROGRAM")
    assert (ended[3]["exit_status"], ended[3]["timed_out"]) == (-15, True)


def test_nothing_is_interpreted_without_a_shell(
    monitor: Monitor,
    scripts: Scripts,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(scripts.folder)
    strange, quoted = (
        "$(touch touched) `touch touched` ; touch touched | tee touched > touched",
        '"; touch x; "\'',
    )
    doubled = quoted.replace("'", "''")
    put = f"ALTER QLOCAL(APPQ) TRIGDATA('{doubled}')\nput m1 on APPQ"
    monitor.process(scripts.make("serve.py", TELL), strange + " &", put, USERDATA=strange)
    monitor.run()
    ((told, *words),) = scripts.told
    assert (words, mqtm.MQTMC2.unpack(told.encode(), 546, 1208)["trigger_data"]) == (
        strange.split(),
        quoted,
    )
    assert not (scripts.folder / "touched").exists()


def test_a_shell_interprets_what_it_finds(monitor: Monitor, scripts: Scripts) -> None:
    monitor.process(scripts.make("serve.py", TELL), "$((1 + 1)) &")
    assert monitor.run(MonitorSettings("INIT1", once=True, shell=True)) == ["started", "ended"]
    wait_until(lambda: scripts.told)
    assert [words[1:] for words in scripts.told] == [["2"]]


@pytest.mark.parametrize("safe", [False, True])
def test_t58_by_a_shell(monitor: Monitor, safe: bool) -> None:
    monitor.process("/no/such 2>/dev/null")
    assert monitor.run(MonitorSettings("INIT1", once=True, shell=True, safe=safe)) == [
        "started",
        "ended",
        "failed",
    ]
    monitor.play.run("dlq DLQ => INIT1/265/MQTRIG\ndepth INIT1 => 0")


def test_opening_the_queue_is_an_occasion(monitor: Monitor, scripts: Scripts) -> None:
    put = "M: close INIT1\nALTER QLOCAL(APPQ) TRIGTYPE(FIRST)\nput m*3 on APPQ\ndepth INIT1 => 0"
    monitor.process(scripts.make("serve.py", TELL), then=put)
    assert monitor.run() == ["started", "ended"]
    monitor.play.run("TRIGGER => monitor-opened/APPQ/0")


def test_once_takes_what_was_there_and_no_loop(monitor: Monitor, scripts: Scripts) -> None:
    """The program opens its queue and closes it without a get, and each close triggers again."""
    text = TELL + (
        "import os, mqsc\nfrom store.constants import MQOO\n"
        "with mqsc.open_store(os.environ['MQSC_STORE']) as store:\n"
        "    with store.queue_manager(os.environ['MQSC_QMGR']).connect() as connection:\n"
        "        connection.open('APPQ', MQOO.INPUT_SHARED).close()\n"
    )
    monitor.process(
        scripts.make("loop.py", text),
        then="ALTER QLOCAL(APPQ) TRIGTYPE(FIRST)\nput m1 on APPQ",
    )
    assert monitor.run() == ["started", "ended"]
    monitor.play.run("depth INIT1 => 1\nTRIGGER => put/APPQ/0 close/APPQ/0")


@rows(
    ("ALTER QLOCAL(DLQ) PUT(DISABLED)", error_text(MQError(MQRC.PUT_INHIBITED, "DLQ"))),
    (
        "ALTER QMGR DEADQ('')",
        "2085 MQRC_UNKNOWN_OBJECT_NAME (no DEADQ): The object does not exist here.",
    ),
    (
        "ALTER QMGR DEADQ('NOQ')",
        "2085 MQRC_UNKNOWN_OBJECT_NAME (NOQ): The object does not exist here.",
    ),
)
def test_a_dead_letter_queue_that_takes_nothing(monitor: Monitor, alter: str, lost: str) -> None:
    monitor.process("/no/such", then=f"{alter}\nput m1 on APPQ\nput m2 on APPQ")
    assert (monitor.run(), [each["lost"] for each in monitor.reports]) == (
        ["failed"] * 2,
        [lost] * 2,
    )
    monitor.play.run("depth INIT1 => 0")
    assert monitor.told("DEAD_LETTER") == []


def test_a_queue_that_is_no_initiation_queue(monitor: Monitor) -> None:
    monitor.play.run("ALTER QLOCAL(APPQ) NOTRIGGER\nput m*3 on APPQ")
    assert monitor.run(MonitorSettings("APPQ", once=True)) == ["failed"] * 3
    monitor.play.run("dlq DLQ => APPQ/266/ APPQ/266/ APPQ/266/\ndepth APPQ => 0")


def test_a_queue_that_is_its_own_initiation_queue(monitor: Monitor, scripts: Scripts) -> None:
    monitor.process(
        scripts.make("serve.py", TELL),
        then="ALTER QLOCAL(APPQ) INITQ(APPQ)\nput m1 on APPQ",
    )
    assert monitor.run(MonitorSettings("APPQ", once=True)) == ["failed", "started", "ended"]
    monitor.play.run("depth APPQ => 0\ndepth DLQ => 1")


def test_two_monitors_share_the_work(monitor: Monitor, scripts: Scripts) -> None:
    """While the first monitor waits for its first program, the second takes the other trigger
    messages.
    """
    monitor.process(scripts.make("serve.py", TELL), then="put m*4 on APPQ")
    second: list[str] = []
    first = monitor.run(
        then=lambda: second.extend(monitor.run()) if len(monitor.reports) == 1 else None,
    )
    assert (second, len(first), len(scripts.told)) == (["started", "ended"] * 3, 8, 4)
    monitor.play.run("depth INIT1 => 0")


@rows(
    ("", "NOQ", 2085),
    ("M: close INIT1\nX: open INIT1 input-exclusive", "INIT1", 2042),
    ("ALTER QLOCAL(INIT1) GET(DISABLED)\nput m1 on INIT1", "INIT1", 2016),
)
def test_a_queue_that_cannot_be_read(monitor: Monitor, text: str, queue: str, reason: int) -> None:
    monitor.play.run(text)
    with pytest.raises(MQError, match=f"^{reason}"):
        monitor.run(MonitorSettings(queue, once=True))


class Broken(Exception):
    """Stands for a crash of the monitor."""


@pytest.mark.parametrize(("safe", "kept"), [(False, 0), (True, 1)])
def test_a_monitor_that_dies_before_its_program_is_started(
    monitor: Monitor,
    safe: bool,
    kept: int,
) -> None:
    def die() -> None:
        raise Broken

    monitor.process("/no/such")
    with pytest.raises(Broken):
        monitor.run(MonitorSettings("INIT1", once=True, safe=safe), die)
    monitor.play.run(f"depth INIT1 => {kept}\ndepth DLQ => {1 - kept}")


def test_told_to_stop_it_takes_nothing_more(monitor: Monitor) -> None:
    monitor.process("/bin/true")
    monitor.stop.set()
    assert monitor.run() == []
    monitor.play.run("depth INIT1 => 1")


def test_a_program_that_is_left_running(monitor: Monitor, scripts: Scripts) -> None:
    monitor.process(scripts.make("wait.py", WAIT))
    assert (monitor.run(then=monitor.stop.set), monitor.left) == (
        ["started"],
        [monitor.reports[0]["process_id"]],
    )
    scripts.let_through()


def test_the_monitor_opens_with_the_default_of_the_queue(monitor: Monitor) -> None:
    monitor.play.run("M: close INIT1\nALTER QLOCAL(INIT1) DEFSOPT(EXCL)")
    with monitor.qmgr.connect() as connection, monitor.qmgr.connect() as other:
        TriggerMonitor(connection, ONCE, monitor.reports.append, monitor.stop)
        with pytest.raises(MQError, match="2042"):
            other.open("INIT1", MQOO.INPUT_SHARED)
