"""Lint rules on backout queues, beyond their own examples."""

from __future__ import annotations

from mqsc.lint.script_check import check_script
from tests.mqsc.lint.violations import Case, wrong

POISON = "BOTHRESH(2) BOQNAME(B)"


def test_backout_queues() -> None:
    cases: list[Case] = [
        (["DEFINE QLOCAL(B)", "DEFINE QLOCAL(A) BOTHRESH(1)"], [("C08", 2)]),
        (["DEFINE QLOCAL(B)", "DEFINE QLOCAL(A) BOTHRESH(0)"], []),
        (["DEFINE QLOCAL(B)", "DEFINE QMODEL(A) BOQNAME(B)"], [("C09", 2)]),
    ]
    assert wrong(cases) == []


def test_thresholds_with_a_dead_letter_queue() -> None:
    cases: list[Case] = [
        (["ALTER QMGR DEADQ(B)", "DEFINE QLOCAL(B)", "DEFINE QLOCAL(A) BOTHRESH(1)"], []),
        (["ALTER QMGR DEADQ(' ')", "DEFINE QLOCAL(B)", "DEFINE QLOCAL(A) BOTHRESH(1)"], [("C08", 3)]),
    ]
    assert wrong(cases) == []


def test_b42_cycles() -> None:
    """Reported once, at the queue defined last; through an alias too."""
    to_a = "BOTHRESH(2) BOQNAME(A)"
    cases: list[Case] = [
        (["DEFINE QLOCAL(A) BOTHRESH(2)", "ALTER QLOCAL(A) BOQNAME(A)"], [("C10", 2)]),
        ([f"DEFINE QLOCAL(A) {POISON}", f"DEFINE QLOCAL(B) {to_a}"], [("C10", 2)]),
        ([f"DEFINE QLOCAL(A) {POISON}", "DEFINE QALIAS(B) TARGET(A)"], [("C10", 1)]),
        (
            [f"DEFINE QLOCAL(A) {POISON}", "DEFINE QLOCAL(B) BOTHRESH(1) BOQNAME(C)", f"DEFINE QLOCAL(C) {to_a}"],
            [("C10", 3)],
        ),
        (
            [f"DEFINE QLOCAL(B) {POISON}", f"DEFINE QLOCAL(A) {POISON}"],
            [("C10", 1)],
        ),
        ([f"DEFINE QLOCAL(A) {POISON}", "DEFINE QLOCAL(B) BOTHRESH(1) BOQNAME(C)", "DEFINE QLOCAL(C)"], []),
    ]
    assert wrong(cases) == []


def test_backout_queues_that_refuse_messages() -> None:
    source = f"DEFINE QLOCAL(A) {POISON}"
    cases: list[Case] = [
        (["DEFINE QLOCAL(B) MAXDEPTH(0)", source], [("C28", 1), ("C41", 2)]),
        (["DEFINE QLOCAL(B) PUT(DISABLED)", source], [("C41", 2)]),
        (["DEFINE QLOCAL(B)", f"{source} MAXMSGL(4194305)"], [("C41", 2)]),
        (["DEFINE QLOCAL(B) MAXMSGL(10)", f"{source} MAXMSGL(10)"], []),
        (["DEFINE QLOCAL(B) USAGE(XMITQ)", source], [("C13", 2)]),
        (["DEFINE QMODEL(B)", source], [("C13", 2)]),
        (["DEFINE QLOCAL(X) USAGE(XMITQ)", "DEFINE QALIAS(B) TARGET(X)", source], [("C41", 3)]),
        (["DEFINE QLOCAL(X) MAXMSGL(10)", "DEFINE QALIAS(B) TARGET(X)", source], [("C41", 3)]),
        (["DEFINE QREMOTE(B) RNAME(X) RQMNAME(QM2)", source], []),
        (["DEFINE QLOCAL(X) PUT(DISABLED)", "DEFINE QALIAS(B) TARGET(X) TARGTYPE(TOPIC)", source], []),
    ]
    assert wrong(cases) == []


def test_the_place_and_the_remedy() -> None:
    lines = ["DEFINE QLOCAL(X) MAXMSGL(10)\n", "DEFINE QALIAS(B) TARGET(X)\n", f"DEFINE QLOCAL(A) {POISON}\n"]
    (found,) = check_script(lines, "a.mqsc")
    assert str(found) == (
        "a.mqsc:3:38: warning MQSC-C41: BOQNAME of A names B, an alias of X, which takes 10 bytes where A takes "
        "4194304; suggestion: MAXMSGL(4194304) for X"
    )
    (cycle,) = check_script([f"DEFINE QLOCAL(A) {POISON}\n", "DEFINE QLOCAL(B) BOTHRESH(1) BOQNAME(A)\n"])
    assert cycle.text == "poison messages are moved from B to A to B; suggestion: another queue"
