"""Lint rules on triggering, beyond their own examples."""

from __future__ import annotations

from tests.mqsc.lint.violations import COMPLETE, INITQ, Case, wrong


def test_triggering() -> None:
    cases: list[Case] = [
        ([*COMPLETE, f"DEFINE QMODEL(A) TRIGGER PROCESS(P) {INITQ}"], []),
        ([*COMPLETE, f"DEFINE QLOCAL(A) TRIGGER PROCESS(P) {INITQ}", "ALTER QLOCAL(A) INITQ(' ')"], [("C01", 3)]),
        (["DEFINE QLOCAL(X) USAGE(XMITQ) INITQ(SYSTEM.CHANNEL.INITQ)"], [("C06", 1)]),
        (["ALTER QMGR TRIGINT(999999999)", "DEFINE PROCESS(P)", f"DEFINE QLOCAL(A) TRIGGER PROCESS(P) {INITQ}"], []),
    ]
    assert wrong(cases) == []


def test_every_of_a_shared_queue() -> None:
    every = f"DEFINE QLOCAL(A) QSGDISP(SHARED) CFSTRUCT(S) TRIGGER TRIGTYPE(EVERY) PROCESS(P) {INITQ}"
    elsewhere = every.replace(INITQ, "INITQ(ELSEWHERE)")
    cases: list[Case] = [
        ([*COMPLETE, "DEFINE CFSTRUCT(S)", every], [("C22", 3), ("C42", 4)]),
        ([*COMPLETE, "DEFINE CFSTRUCT(S)", every.replace("EVERY", "FIRST")], [("C22", 3)]),
        # The name may be that of a shared queue.
        ([*COMPLETE, "DEFINE CFSTRUCT(S)", elsewhere], [("C22", 3)]),
    ]
    assert wrong(cases) == []


def test_only_an_alter_while_trigger_is_on_counts_as_switching_it_on_again() -> None:
    cases: list[Case] = [
        (
            [f"DEFINE QLOCAL(A) TRIGTYPE(DEPTH) PROCESS(P) {INITQ}", "ALTER QLOCAL(A) TRIGGER", *COMPLETE],
            [("C03", 1)],
        ),
    ]
    assert wrong(cases) == []
