"""What the actions of rules tables do, and the keywords that only some of them take."""

from __future__ import annotations

from mqsc.dlq.keywords import RULE_ACTIONS, RuleAction, actions_with
from tests.rows import rows

SHARING = {
    "FWD": RuleAction("FORWARD", ("FWDQ", ""), keywords=("FWDQ", "FWDQM")),
    "COPY": RuleAction("", ("FWDQ", ""), keywords=("FWDQ",)),
    "DISCARD": RuleAction("DISCARD"),
}


@rows(
    ("FWDQ", ("FWD", "COPY")),
    ("FWDQM", ("FWD",)),
    ("RETRY", ()),
)
def test_actions_may_share_a_keyword(keyword: str, actions: tuple[str, ...]) -> None:
    assert actions_with(keyword, SHARING) == actions


@rows(
    ("DISCARD", True, False, False),
    ("IGNORE", False, False, True),
    ("RETRY", True, True, False),
    ("FWD", True, True, False),
)
def test_what_an_action_does(action: str, removes: bool, puts: bool, nothing: bool) -> None:
    effect = RULE_ACTIONS[action]
    assert effect.removes_message == removes
    assert effect.puts_message == puts
    assert effect.does_nothing == nothing


def test_a_message_that_is_put_is_also_removed() -> None:
    """The handler gets it and puts it in one unit of work."""
    assert [name for name, each in RULE_ACTIONS.items() if each.target and not each.event] == []
