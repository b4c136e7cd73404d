"""The objects of a group of three members against a model: whatever is done, DISPLAY of every
member is that of it.
"""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import mqsc
from mqsc.store import Environment, Message, open_store
from mqsc.store.client.queue_manager import QueueManager
from tests.store.group_model import GroupModel, Queue, members
from tests.store.state_machine import START, run_machine

numbers = st.integers(1, 3)
names = st.sampled_from(["T.A", "T.B"])
types = st.sampled_from(["QLOCAL", "QLOCAL", "QALIAS"])
texts = st.sampled_from(["x", "y", "z"])
dispositions = st.sampled_from(["QMGR", "COPY", "GROUP", "GROUP", "SHARED"])
FAILED = 2


class Members(RuleBasedStateMachine):
    """QM1, QM2 and QM3 of QSG1, beside the model."""

    def __init__(self) -> None:
        super().__init__()
        self.store = open_store("sqlite://", Environment.frozen(at=START))
        for number in (1, 2, 3):
            self.store.create_queue_manager(f"QM{number}", group="QSG1")
        mqsc.run(self.qmgr(1), "DEFINE CFSTRUCT(S) CFLEVEL(5)")
        self.model = GroupModel(members(3))

    def qmgr(self, number: int) -> QueueManager:
        return self.store.queue_manager(f"QM{number}")

    def succeeds(self, number: int, command: str) -> bool:
        [reply] = mqsc.run(self.qmgr(number), command)
        assert reply.message_id != "AMQ8405I", reply.text
        warned = {
            line.split()[1].rstrip(":")
            for line in reply.text.splitlines()
            if line.startswith("MQSC0032W")
        }
        if "QSGDISP(GROUP)" in command:
            self.warned = warned
        return reply.completion != FAILED

    def check_warnings(self, name: str) -> None:
        """A reply names the running members that could not follow."""
        behind = {
            f"QM{n}" for n, each in self.model.members.items() if each.runs and name in each.behind
        }
        assert self.warned == behind

    @rule(
        number=numbers,
        name=names,
        type=types,
        disposition=dispositions,
        descr=texts | st.none(),
        replaces=st.booleans(),
    )
    def define(
        self,
        number: int,
        name: str,
        type: str,
        disposition: str,
        descr: str | None,
        replaces: bool,
    ) -> None:
        if not self.model.members[number].runs:
            return
        words = [
            f"DEFINE {type}({name}) QSGDISP({disposition})",
            "REPLACE" if replaces else "NOREPLACE",
        ]
        words += [f"DESCR('{descr}')"] if descr else []
        words += ["CFSTRUCT(S)"] if disposition == "SHARED" and type == "QLOCAL" else []
        done = self.succeeds(number, " ".join(words))
        new = Queue(disposition, type, descr or "")
        assert done is self.model.define(
            number,
            name,
            new,
            given=descr is not None,
            replaces=replaces,
        )
        if done and disposition == "GROUP":
            self.check_warnings(name)

    @rule(
        number=numbers,
        name=names,
        type=types,
        disposition=dispositions | st.just("PRIVATE"),
        descr=texts,
    )
    def alter(self, number: int, name: str, type: str, disposition: str, descr: str) -> None:
        if not self.model.members[number].runs:
            return
        done = self.succeeds(
            number,
            f"ALTER {type}({name}) QSGDISP({disposition}) DESCR('{descr}')",
        )
        assert done is self.model.alter(number, name, Queue(disposition, type, descr))
        if done and disposition == "GROUP":
            self.check_warnings(name)

    @rule(number=numbers, name=names, type=types, disposition=dispositions)
    def delete(self, number: int, name: str, type: str, disposition: str) -> None:
        if not self.model.members[number].runs:
            return
        done = self.succeeds(number, f"DELETE {type}({name}) QSGDISP({disposition})")
        assert done is self.model.delete(number, name, Queue(disposition, type, ""))
        if done and disposition == "GROUP":
            self.check_warnings(name)

    @rule(number=numbers, name=names)
    def fill(self, number: int, name: str) -> None:
        member = self.model.members[number]
        own = member.own.get(name)
        beside = member.joined and name in self.model.shared
        if member.runs and own is not None and own.type == "QLOCAL" and not beside:
            with self.qmgr(number).connect() as connection:
                connection.put1(name, Message(b"x"))
            member.full.add(name)

    @rule(number=numbers, name=names)
    def clear(self, number: int, name: str) -> None:
        member = self.model.members[number]
        own = member.own.get(name)
        if member.runs and own is not None and own.type == "QLOCAL":
            assert self.succeeds(number, f"CLEAR QLOCAL({name})")
            member.full.discard(name)

    @rule(number=numbers)
    def end_or_start(self, number: int) -> None:
        member = self.model.members[number]
        if member.runs:
            self.qmgr(number).end()
            member.runs = False
        else:
            self.qmgr(number).start()
            # The messages are not persistent.
            member.full.clear()
            self.model.start(number)

    @rule(number=numbers)
    def leave_or_join(self, number: int) -> None:
        member = self.model.members[number]
        if member.runs:
            return
        if member.joined:
            self.store.leave_group(f"QM{number}")
            self.model.leave(number)
        else:
            self.store.join_group(f"QM{number}", "QSG1")
            self.model.join(number)

    @invariant()
    def every_member_shows_what_the_model_has(self) -> None:
        for number, member in self.model.members.items():
            if member.runs:
                [reply] = mqsc.run(self.qmgr(number), "DISPLAY QUEUE(T.*) DESCR QSGDISP(ALL)")
                found = [
                    (row["QUEUE"], Queue(row.get("QSGDISP", "QMGR"), row["TYPE"], row["DESCR"]))
                    for row in reply.rows
                ]
                assert sorted(found) == self.model.shown(number)

    def teardown(self) -> None:
        self.store.close()


@pytest.mark.long
def test_every_member_has_what_the_model_has() -> None:
    run_machine(Members, 25, 50)
