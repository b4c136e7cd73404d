"""The verbs of scenarios about the channel C from QM1 to QM2, which the scenario runs itself, in
addition to `play`.

send m1 m2 to RQ expiry=10          MQPUT1 of persistent messages in MQSTR; to RQ, unless another
queue is named run break=S2:3 => RUNNING           runs C at QM1 until it waits: its status,
`waits`, `ended` or `failed` QM2: run D stop=FORCE@S4-after      another channel; it is stopped at a
step, with this MODE run look=S3:INITQ                   notes what is on a queue of QM2 (Q, if none
is named) whenever it is at the step looked => m1+m2 none                what was on that queue each
time keep                                runs C with its retries, as an initiator does drain =>
failed AMQ9506E            runs C until its transmission queue is empty: how it ends, the id of its
message resume · after 0.3 · kill           what ran last goes on, now or after seconds; all runs
end without a word due => 10                           the seconds until the last run goes on by
itself status · receiver                   the status of either end of C initiator · initiator ends
a program reads SYSTEM.CHANNEL.INITQ of QM1, or no longer does doubt => 1+5
puts and gets of each unit in doubt numbers => 5/5                      the sequence numbers in the
records of both ends steps retry-wait => 3               how often a step was made fault S2 break
number=3 times=2     stores a fault for a channel; also channel=D, milliseconds=500, lasting=30 said
=> AMQ9202E "QM1: ...newer..." reported messages and lines, among others; all lines with an id after
`said ID` causes => starting bound batch      the causes of the CHANNEL events of the history
happened EXPIRE => channel/Q//0     cause, queue, target and reason of all events of a kind detail
batch 1 => messages=5        members of the detail of the first, else the last CHANNEL event with
that cause forecast => expire                  what will become of the next message; ... of the
partner: what is strange about it QM2: claim QM3 RQMNAME=QM3          makes a status of C for that
partner; `stopped` makes it so QM2: instances => QM1 QM3/FORCE/INACTIVE   the partners with a
status, and what a STOP asks of them note DISPLAY ... => same            the rows of a command, and
whether they are those of the last note create QM3                          another queue manager in
the same store
"""

from __future__ import annotations

import json
from typing import Any, cast

import mqsc
from mqsc.channels.channel_run import run_channel
from mqsc.channels.forecast import forecast
from mqsc.channels.link import Step, StepHook
from mqsc.store.admin.channel import status as channel_status
from mqsc.store.admin.channel.explanation import explain
from mqsc.store.client.store import Store
from mqsc.store.constants import MQCHS
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.sqlite.database import Transaction
from tests.scenarios.channel_bench import SECOND, Driven, Network, broken_at, events
from tests.scenarios.looking import waiting_on
from tests.scenarios.play import Play, done
from tests.scenarios.words import Outcome, after, is_like, message_of, sorted_words


def new_network(store: Store) -> Network:
    """Make both queue managers and their objects in a store on a frozen clock."""
    return Network(store, cast("Environment[FrozenClock]", store.environment))


class ChannelPlay(Play):
    """Both queue managers of a network, their programs, and the runs of their channels."""

    def __init__(self, network: Network) -> None:
        super().__init__(network.qm1, network.qm2)
        self.network = network
        self.looked: list[str] = []
        self.noted: list[dict[str, Any]] = []

    def _send(self, who: str, words: list[str]) -> Outcome:
        queue = after(words, "to") or "RQ"
        names, fields, _ = sorted_words(words, object, self.placed)
        with self.at(who).connect("app") as connection:
            for name in names:
                message = message_of(name, {"persistence": 1, "format": "MQSTR", **fields})
                self.placed[name] = connection.put1(queue, message)
        return done

    def _run(self, who: str, words: list[str]) -> Outcome:
        return self._driven(who, words)

    def _drain(self, who: str, words: list[str]) -> Outcome:
        outcome = self._driven(who, words, until_empty=True)
        assert self.network.runs[-1].ending is not None
        return outcome

    def _driven(self, who: str, words: list[str], *, until_empty: bool = False) -> Outcome:
        name = next((each for each in words if "=" not in each), "C")
        hooks = dict(each.split("=") for each in words if "=" in each)
        settings = self.network.settings(self._hook(hooks), until_empty=until_empty)
        Driven(run_channel(self.at(who), name, settings), self.network)
        return self._state()

    def _hook(self, hooks: dict[str, str]) -> StepHook | None:
        for kind, what in hooks.items():
            mode, _, place = what.rpartition("@")
            step, _, more = place.partition(":")
            if kind == "break":
                return broken_at(Step(step), int(more or 0))
            return (
                self._stopping(Step(step), int(more or 0), mode)
                if mode
                else self._looking(Step(step), more or "Q")
            )
        return None

    def _stopping(self, step: Step, number: int, mode: str) -> StepHook:
        def hook(at: Step, message: int) -> None:
            if (at, message) == (step, number) and self.network.status() == "RUNNING":
                mqsc.run(self.qmgr, f"STOP CHANNEL(C) MODE({mode})", check=True)

        return hook

    def _looking(self, step: Step, queue: str) -> StepHook:
        def hook(at: Step, message: int) -> None:
            if at is step:
                self.looked.append("+".join(waiting_on(self.network.qm2, queue)) or "none")

        return hook

    def _looked(self, who: str, words: list[str]) -> Outcome:
        return lambda wanted: self.looked

    def _state(self) -> Outcome:
        """The outcome of a call after which the last run waits or has ended."""
        run, status = self.network.runs[-1], self.network.status()
        how = "waits" if run.ending is None else "failed" if run.ending.failed else "ended"
        message = "" if run.ending is None else run.ending.message.partition(":")[0]

        def told(wanted: str) -> str:
            if wanted in ("waits", "ended", "failed"):
                return how
            return message if wanted.startswith("AMQ") else status

        return lambda wanted: wanted if wanted == ["0/0"] else [told(each) for each in wanted]

    def _keep(self, who: str, words: list[str]) -> Outcome:
        self.network.keep()
        return self._state()

    def _resume(self, who: str, words: list[str]) -> Outcome:
        self.network.runs[-1].resume()
        return self._state()

    def _after(self, who: str, words: list[str]) -> Outcome:
        self.network.runs[-1].after(float(words[0]))
        return self._state()

    def _kill(self, who: str, words: list[str]) -> Outcome:
        for run in self.network.runs:
            run.close()
        return done

    def _status(self, who: str, words: list[str]) -> Outcome:
        return lambda wanted: [self.network.status()]

    def _receiver(self, who: str, words: list[str]) -> Outcome:
        found = self.network.receiver()
        return lambda wanted: ["nothing" if found is None else found.status.name]

    def _initiator(self, who: str, words: list[str]) -> Outcome:
        (self.network.end_initiator if words == ["ends"] else self.network.initiator)()
        return done

    def _doubt(self, who: str, words: list[str]) -> Outcome:
        units = [f"{each.puts}+{each.gets}" for each in self.at(who).in_doubt()]
        return lambda wanted: units or ["nothing"]

    def _numbers(self, who: str, words: list[str]) -> Outcome:
        return lambda wanted: ["/".join(map(str, self.network.numbers()))]

    def _steps(self, who: str, words: list[str]) -> Outcome:
        count = [step for step, _ in self.network.steps].count(Step(words[0]))
        return lambda wanted: [str(count)]

    def _fault(self, who: str, words: list[str]) -> Outcome:
        (*step, action), limits, _ = sorted_words(words, object, self.placed)
        until = (
            self.network.clock.now() + limits["lasting"] * SECOND if "lasting" in limits else None
        )
        channel, number, delay = (
            limits.get("channel", "C"),
            limits.get("number", 0),
            limits.get("milliseconds", 0),
        )
        with Transaction(self.qmgr.store.database, durable=False) as tx:
            tx.connection.execute(
                "INSERT INTO channel_fault (qmgr, channel, step, number, action, milliseconds, "
                "times, until)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    self.at(who).name,
                    channel,
                    "".join(step),
                    number,
                    action,
                    delay,
                    limits.get("times"),
                    until,
                ),
            )
        return done

    def _said(self, who: str, words: list[str]) -> Outcome:
        lines = [line for line in self.network.reports if not words or f"{words[0]}:" in line]

        def told(wanted: list[str]) -> list[str]:
            if words and len(lines) != len(wanted):
                return lines or ["nothing"]
            patterns = [each if each.startswith('"') else f"...{each}:..." for each in wanted]
            seen = [[line] for line in lines] if words else [lines] * len(wanted)
            is_right = [
                any(is_like(each, line) for line in among)
                for each, among in zip(patterns, seen, strict=True)
            ]
            return wanted if all(is_right) else lines

        return told

    def _causes(self, who: str, words: list[str]) -> Outcome:
        return lambda wanted: [each["cause"] for each in events(self.at(who), "CHANNEL")]

    def _happened(self, who: str, words: list[str]) -> Outcome:
        found = [
            f"{each['cause']}/{each['queue'] or ''}/{each['target'] or ''}/{each['reason'] or 0}"
            for each in events(self.at(who), words[0])
        ]
        return lambda wanted: found or ["nothing"]

    def _detail(self, who: str, words: list[str]) -> Outcome:
        cause, number = words[0], int(words[1]) - 1 if words[1:] else -1
        about = [each for each in events(self.at(who), "CHANNEL") if each["cause"] == cause][number]
        members = [f"{name}={value}" for name, value in json.loads(about["detail"]).items()]
        return lambda wanted: [
            each if any(is_like(each, line) for line in members) else str(members)
            for each in wanted
        ]

    def _forecast(self, who: str, words: list[str]) -> Outcome:
        found = forecast(self.qmgr, explain(self.qmgr, "C"))
        if words == ["partner"]:
            strange = list(found.partner.strange.values())
            return lambda wanted: (
                wanted if [each.strip('"') for each in wanted] == strange else strange
            )
        assert found.next is not None
        assert found.next.destiny is not None
        action = found.next.destiny.action
        return lambda wanted: ["deliver" if action is None else action.value]

    def _due(self, who: str, words: list[str]) -> Outcome:
        wait = self.network.runs[-1].wait
        until = None if wait is None else wait.until
        return lambda wanted: [
            "nothing" if until is None else f"{(until - self.network.clock.now()) / SECOND:g}",
        ]

    def _claim(self, who: str, words: list[str]) -> Outcome:
        partner, *stopped = [each for each in words if "=" not in each]
        figures = dict(each.split("=") for each in words if "=" in each)
        channel_status.claim(self.at(who), "C", partner, MQCHS.RUNNING, figures)
        if stopped:
            channel_status.change(self.at(who), "C", partner, status=MQCHS.STOPPED)
        return done

    def _instances(self, who: str, words: list[str]) -> Outcome:
        found = channel_status.instances(self.at(who))
        told = [[each.partner, each.requested, each.requested_status] for each in found]
        return lambda wanted: ["/".join(filter(None, each)) for each in told] or ["nothing"]

    def _note(self, who: str, words: list[str]) -> Outcome:
        (reply,) = mqsc.run(self.at(who), " ".join(words))
        last, self.noted = self.noted, reply.rows
        return lambda wanted: (
            wanted if wanted == ["0/0"] else ["same" if last == reply.rows else "other"]
        )

    def _create(self, who: str, words: list[str]) -> Outcome:
        self.managers[words[0]] = self.qmgr.store.create_queue_manager(words[0])
        return done
