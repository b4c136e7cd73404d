"""What members of a group do for shared queues: scans for expired messages (S43 to S47), events,
statistics (S25).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

import mqsc
from mqsc.agents.background_work import lock_for
from mqsc.store.admin.expiry import scan
from mqsc.store.client.store import Store
from tests.scenarios.channel_bench import events
from tests.scenarios.group_play import GroupPlay
from tests.scenarios.looking import events_on
from tests.scenarios.pages import page
from tests.scenarios.play import done
from tests.scenarios.words import Outcome


class ScanPlay(GroupPlay):
    """A group whose expired messages are scanned by `mqsc serve` of its members.

    serve 1 2 · ended 2                 a `mqsc serve` runs for these members, or is killed pass
    5 seconds pass; each `mqsc serve` of a running member with EXPRYINT scans QM1: scan
    scans at once owners => QM2                       the members with EXPSCAN(YES) changes =>
    alter/QM2/QM1/QM1        cause, owner, acting member, and owner before, of each change expired
    => interval/QM2             cause and member of each message of SQ that was discarded reported
    => SQ/R/QM1                queue, reply queue and member of each report of the group filled => R
    the queues of QM1 with messages
    """

    def __init__(self, store: Store, held: ExitStack) -> None:
        super().__init__(store)
        self.held = held
        self.serving: set[str] = set()

    def _serve(self, who: str, words: list[str]) -> Outcome:
        for number in words:
            lock = lock_for(self.store, f"QM{number}")
            assert lock.acquire()
            self.held.callback(lock.release)
            self.serving.add(number)
        return done

    def _ended(self, who: str, words: list[str]) -> Outcome:
        others = sorted(self.serving - {*words})
        self.held.close()
        self.serving.clear()
        return self._serve(who, others)

    def _pass(self, who: str, words: list[str]) -> Outcome:
        self._advance(who, ["5"])
        for number in sorted(self.serving):
            qmgr = self.managers[f"QM{number}"]
            if qmgr.row().state != "ENDED" and qmgr.row().expiry_interval is not None:
                scan(qmgr)
        return done

    def _scan(self, who: str, words: list[str]) -> Outcome:
        scan(self.at(who))
        return done

    def _owners(self, who: str, words: list[str]) -> Outcome:
        running = next(each for each in self.managers.values() if each.row().state != "ENDED")
        [reply] = mqsc.run(running, "DISPLAY GROUP")
        owners = [str(row["QMNAME"]) for row in reply.rows if row["EXPSCAN"] == "YES"]
        return lambda wanted: owners or ["nothing"]

    def _changes(self, who: str, words: list[str]) -> Outcome:
        told = []
        for each in events(self.qmgr, "OWNER", "QSG1"):
            detail = json.loads(each["detail"])
            told.append(
                "/".join(
                    filter(
                        None,
                        (
                            each["cause"],
                            each["target"] or "-",
                            detail["member"],
                            detail.get("from"),
                        ),
                    ),
                ),
            )
        return lambda wanted: told or ["nothing"]

    def _expired(self, who: str, words: list[str]) -> Outcome:
        found = [each for each in events(self.qmgr, "EXPIRE", "QSG1") if each["queue"] == "SQ"]
        told = [f"{each['cause']}/{json.loads(each['detail'])['member']}" for each in found]
        return lambda wanted: told or ["nothing"]

    def _reported(self, who: str, words: list[str]) -> Outcome:
        found = [
            (each["queue"], each["target"], json.loads(each["detail"]))
            for each in events(self.qmgr, "REPORT", "QSG1")
        ]
        return lambda wanted: [
            f"{queue}/{target}/{detail['member']}" for queue, target, detail in found
        ]

    def _filled(self, who: str, words: list[str]) -> Outcome:
        (reply,) = mqsc.run(self.qmgr, "DISPLAY QUEUE(*) TYPE(QLOCAL) WHERE(CURDEPTH GT 0)")
        names = [
            str(row["QUEUE"]) for row in reply.rows if not str(row["QUEUE"]).startswith("SYSTEM.")
        ]
        return lambda wanted: names or ["nothing"]


@pytest.fixture
def store(copy_of: Callable[[Callable[[Store], object]], Store]) -> Store:
    """A store that has the group."""
    return copy_of(GroupPlay)


@pytest.fixture
def play(store: Store) -> Iterator[ScanPlay]:
    with ExitStack() as held:
        yield ScanPlay(store, held)


@pytest.mark.parametrize("scenario", page("sharing_expiry"))
def test_expiry(play: ScanPlay, scenario: str) -> None:
    play.run(scenario)


@pytest.mark.parametrize(
    ("scope", "by"),
    [("", "QM3"), (" CMDSCOPE(*)", "QM3"), (" CMDSCOPE(QM1)", "QM1")],
)
def test_s46_refresh_scans_shared_queues_once_whoever_owns_them(
    play: ScanPlay,
    scope: str,
    by: str,
) -> None:
    play.run("""
        QM2: ALTER QMGR EXPRYINT(5)
        DEFINE QLOCAL(OWN)
        QM3: put1 x on SQ expiry=10
        put1 x on OWN expiry=10
        advance 2
    """)
    [reply] = mqsc.run(play.managers["QM3"], f"REFRESH QMGR TYPE(EXPIRY){scope}")
    assert [row.get("qmgr", "QM3") for row in reply.rows if row["QUEUE"] == "SQ"] == [by]
    assert [row["DISCARDED"] for row in reply.rows if row["QUEUE"] == "OWN"] == (
        [1] if scope else []
    )
    play.run(f"expired => refresh/{by}\nowners => QM2")


@pytest.mark.parametrize("scenario", page("sharing_statistics"))
def test_statistics(store: Store, scenario: str) -> None:
    GroupPlay(store).run(scenario)


def test_s25_the_events_of_the_members_have_one_correl_id(store: Store) -> None:
    play = GroupPlay(store)
    play.run("""
        ALTER QLOCAL(SQ) QSGDISP(SHARED) MAXDEPTH(10) QDPHIEV(ENABLED)
        *: ALTER QMGR PERFMEV(ENABLED)
        QM1: put m*8 on SQ
    """)
    found = [
        each
        for qmgr in play.managers.values()
        for each in events_on(qmgr, "SYSTEM.ADMIN.PERFM.EVENT")
    ]
    assert [each.header.reason for each in found] == [2224] * 3
    (correl_id,) = {each.message.descriptor.correl_id for each in found}
    assert correl_id != bytes(24)
    assert len({each.message.descriptor.msg_id for each in found}) == 3
