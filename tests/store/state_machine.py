"""What state machines share: rules whose arguments are drawn together, calls compared with a
model, and their run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from mqsc.store import GetMessageOptions, Message, MessageDescriptor, MQError, PutMessageOptions
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQPMO
from tests.store.reference_model import Item, Model

START = 1_700_000_000_000_000
NO_MESSAGE, NO_MESSAGE_UNDER_CURSOR, Q_FULL = 2033, 2034, 2053
Method = Callable[..., None]


def combined_rule(**choices: Sequence[Any]) -> Callable[[Method], Method]:
    """Make a rule of a method: each argument is one of these values, of which the first is the
    simplest.

    They are drawn together, because a draw costs as much as a call of the store.
    """
    combinations = [
        dict(zip(choices, values, strict=True)) for values in product(*choices.values())
    ]

    def decorate(method: Method) -> Method:
        def step(self: object, drawn: Mapping[str, Any]) -> None:
            method(self, **drawn)

        # Hypothesis prints the name; with functools.wraps it would look for the arguments of the
        # method.
        step.__name__, step.__doc__ = method.__name__, method.__doc__
        made: Method = rule(drawn=st.sampled_from(combinations))(step)
        return made

    return decorate


def run_machine(machine: type[RuleBasedStateMachine], examples: int, steps: int) -> None:
    """Run a machine that many times with as many steps; a failure is printed as the shortest
    sequence of calls.
    """
    unchecked = list(HealthCheck)
    checked = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        print_blob=True,
        suppress_health_check=unchecked,
    )
    run_state_machine_as_test(machine, settings=checked)


def refusal_of(call: Callable[[], object]) -> int:
    """Return the reason why a call fails, or 0."""
    try:
        call()
    except MQError as error:
        return int(error.reason)
    return 0


class EngineMachine(RuleBasedStateMachine):
    """A machine whose messages the reference model has too."""

    model: Model
    tokens = 0

    def taken(
        self,
        handle: ObjectHandle,
        options: GetMessageOptions,
        refusal: int = NO_MESSAGE,
    ) -> Message | None:
        """Get a message; None if the call fails with 2033, or with another expected reason."""
        try:
            return handle.get(options)
        except MQError as error:
            if error.reason != refusal:
                raise
            return None

    def compare(self, theirs: Item | None, ours: Message | None) -> None:
        """Check that both are the same message, or both None."""
        if theirs is None or ours is None:
            assert (theirs is None) == (ours is None)
            return
        descriptor = ours.descriptor
        assert descriptor.msg_id.rstrip(b"\0") == theirs.token
        assert (descriptor.backout_count, descriptor.priority) == (
            theirs.backout_count,
            theirs.priority,
        )
        assert ours.data_length == len(theirs.token)

    def put_both(
        self,
        handle: ObjectHandle,
        unit: int | None,
        many: int,
        refusal: int,
        **fields: Any,
    ) -> None:
        """Put one message, or a list of which all or none are put; into the model unless the
        call is refused.
        """
        messages = []
        for _ in range(many):
            self.tokens += 1
            token = str(self.tokens).encode()
            sent = {**fields, "persistence": int(fields["persistent"]), "msg_id": token}
            del sent["persistent"]
            messages.append(Message(token, MessageDescriptor(**sent)))
            if not refusal:
                self.model.put(handle.name, token, unit=unit, **fields)
        options = PutMessageOptions(MQPMO.NO_SYNCPOINT if unit is None else MQPMO.SYNCPOINT)
        given = messages[0] if many == 1 else messages
        assert refusal_of(lambda: handle.put(given, options)) == refusal
