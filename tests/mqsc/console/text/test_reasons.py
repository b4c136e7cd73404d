"""Reason codes with their sentences, from the table of `mqsc explain`."""

from __future__ import annotations

from mqsc.console.text.reasons import error_text, legend, legend_lines, reason_text
from mqsc.language.codes import reasons
from store.constants import MQRC, MQRCCF
from store.error import MQError


def test_every_code_that_is_explained_has_its_sentence() -> None:
    explained = {
        code: f" (Q): {reasons()[name].cause}"
        for code in (*MQRC, *MQRCCF)
        for name in (f"{type(code).__name__}_{code.name}",)
        if name in reasons()
    }
    assert len(explained) > 150
    wrong = [code for code, ends in explained.items() if not error_text(MQError(int(code), "Q")).endswith(ends)]
    assert wrong == []


def test_the_form() -> None:
    assert reason_text(MQRC.Q_FULL) == (
        "2053 MQRC_Q_FULL: The queue holds MAXDEPTH messages, uncommitted ones included."
    )
    assert reason_text(2999) == "2999"
    assert reason_text(266).startswith("266 MQFB_TM_ERROR: A message on")


def test_a_legend_explains_each_code_once() -> None:
    assert [*legend([2053, 0, 266, 2999, 2053])] == [reason_text(2053), reason_text(266)]
    assert [*legend_lines([2053])] == ["", reason_text(2053)]
    assert [*legend_lines([])] == []
