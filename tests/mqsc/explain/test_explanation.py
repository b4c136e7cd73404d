"""The layout of an explanation."""

from __future__ import annotations

from mqsc.language.codes import Explanation, Part

EXPLANATION = Explanation(
    "rule",
    "R1",
    "R1: A rule with a heading",
    (Part("why", "because of a reason that is longer than a line"), Part("bad", "ONE\n  TWO\n", True)),
)


def test_text_is_wrapped_and_scripts_are_not() -> None:
    assert [*EXPLANATION.lines(40)] == [
        "R1: A rule with a heading",
        "  why:       because of a reason that is",
        "             longer than a line",
        "  bad:",
        "      ONE",
        "        TWO",
    ]


def test_json_has_a_key_for_every_part() -> None:
    assert EXPLANATION.as_json() == {
        "kind": "rule",
        "name": "R1",
        "heading": "R1: A rule with a heading",
        "why": "because of a reason that is longer than a line",
        "bad": "ONE\n  TWO\n",
    }
