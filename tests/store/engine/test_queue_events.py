"""Puts and gets, the event messages they cause, and where these get their attributes
(mqi-semantics §11, R1, R2).
"""

from __future__ import annotations

from mqsc.store.admin.altering import change, change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.admin.deleting import delete
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQIA, MQOO
from mqsc.store.engine import queue_events
from mqsc.store.engine.effects import EVENT, Deliver
from mqsc.store.engine.state import CallContext
from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import Parameter
from mqsc.store.message import Message
from mqsc.store.rules.event_message import CONFIGURATION, EventPart
from mqsc.store.sqlite.database import Transaction
from tests.rows import rows
from tests.scenarios.play import Play, done
from tests.scenarios.words import Outcome
from tests.store.plays import plays

PERFORMANCE, QMGR_EVENT = "SYSTEM.ADMIN.PERFM.EVENT", "SYSTEM.ADMIN.QMGR.EVENT"


class EventPlay(Play):
    """A play of a queue manager with PERFMEV and INHIBTEV enabled, which has these verbs in
    addition:

    take 7 syncpoint                       gets without a look at the messages events => 2224
    the reasons of the event messages on the queue for performance, or QMGR told =>
    45/2224/QM1/Q/0/8/8/0          their category and reason, and the values of their parameters
    """

    def __init__(self, qmgr: QueueManager) -> None:
        super().__init__(qmgr)
        self.run("ALTER QMGR PERFMEV(ENABLED) INHIBTEV(ENABLED)")
        self._taken(["QMGR"])

    def _take(self, who: str, words: list[str]) -> Outcome:
        for _ in range(int(words[0])):
            self._get(who, words[1:])
        return done

    def _events(self, who: str, words: list[str]) -> Outcome:
        reasons = [str(header.reason) for header, _ in self._taken(words)]
        return lambda wanted: reasons or ["nothing"]

    def _told(self, who: str, words: list[str]) -> Outcome:
        found = [
            (header.command, header.reason, *(each.value for each in more))
            for header, more in self._taken(words)
        ]
        return lambda wanted: ["/".join(map(str, each)) for each in found] or ["nothing"]

    def _taken(self, words: list[str]) -> list[tuple[pcf.CommandHeader, list[Parameter]]]:
        """Get and return the event messages."""
        found = []
        with self.qmgr.connect() as reader:
            handle = reader.open(
                QMGR_EVENT if words else PERFORMANCE,
                MQOO.INPUT_SHARED | MQOO.INQUIRE,
            )
            while handle.inquire(MQIA.CURRENT_Q_DEPTH)[MQIA.CURRENT_Q_DEPTH]:
                found.append(pcf.unpack(handle.get().body))
        return found


Q = "DEFINE QLOCAL(Q) MAXDEPTH(10)"
HIGH = f"{Q} QDPHIEV(ENABLED)"
SCENARIOS = {
    "P1: a backout that leaves the depth as it is raises no event": f"""
        {HIGH} QDEPTHLO(40) QDPLOEV(ENABLED)
        put m*5 · put m syncpoint · take 1 syncpoint · back · events => nothing
        take 1 syncpoint · events => 2225
    """,
    "high switches low and full on, and low switches high on": f"""
        {HIGH} · put m*7 · events => nothing
        put m · events => 2224
        put m*2 · take 7 · events => nothing
        take 1 · events => 2225
        take 2 · put m*7 · events => nothing
        put m · events => 2224
    """,
    "full comes once until low or high switches it on": f"""
        {Q} · put m*10 · put m => 2/2053 · put m => 2/2053 · put m => 2/2053 · events => 2053
        take 8 · events => 2225
        put m*8 · put m => 2/2053 · events => 2224 2053
    """,
    "low alone comes with the first get at the limit": f"""
        {Q} QDPLOEV(ENABLED) QDPMAXEV(DISABLED) · put m*4 · take 1 · events => nothing
        take 1 · events => 2225
    """,
    "nothing is written when nothing is switched on": f"""
        {Q} QDPMAXEV(DISABLED) · put m*10 · put m => 2/2053 · take 10 · events => nothing
    """,
    "PERFMEV(DISABLED) stops every performance event": f"""
        {HIGH} QSVCIEV(HIGH) · ALTER QMGR PERFMEV(DISABLED)
        put m*10 · put m => 2/2053 · take 10 · events => nothing
    """,
    "ALTER switches an event on again, and DISPLAY shows the values in force": f"""
        {HIGH} · put m*8 · ALTER QLOCAL(Q) DESCR(changed) · put m · events => 2224
        ALTER QLOCAL(Q) QDPHIEV(ENABLED) · put m · events => 2224
        DISPLAY QLOCAL(Q) QDPHIEV QDPLOEV => QDPHIEV=DISABLED QDPLOEV=ENABLED
    """,
    "an event tells the statistics and begins them again": f"""
        {HIGH} · put m*3 · take 2 · advance 3.5 · put m*7 · told => 45/2224/QM1/Q/3/8/10/2
        advance 60 · put m*2 · take 8 · told => 45/2225/QM1/Q/60/10/2/8
    """,
    "N25: an event is outside the unit of work that causes it, and a backout changes the depth "
    "too": f"""
        {HIGH} · put m*8 syncpoint · back · events => 2224 2225
        put m*8 · events => 2224
    """,
    "backing out and browsing are no gets": f"""
        {HIGH} · put m*8 · events => 2224
        put m*2 syncpoint · back · take 8 browse-next · events => nothing
        take 6 syncpoint · events => 2225
    """,
    "discarding expired messages can make the depth low": f"""
        {Q} QDPLOEV(ENABLED) · put m*8 expiry=10 · advance 2 · get => 2/2033 · events => 2225
    """,
    "N24: a scan makes the depth low, and puts make it high again": f"""
        {HIGH} · put m*8 expiry=10 · advance 2 · REFRESH QMGR TYPE(EXPIRY) · put m*8 · events => 2224 2225 2224
    """,
    "a report that is not put because its copy cannot be is told by the name of the stream queue": f"""
        {Q} · DEFINE QLOCAL(S) PUT(DISABLED) · DEFINE QLOCAL(R) STREAMQ(S) STRMQOS(MUSTDUP)
        put m report=COA reply_to_q=R · told QMGR => 44/2051/QM1/S/7/QM1
    """,
    "inhibited calls are told by the name that was opened": f"""
        {Q} GET(DISABLED) · DEFINE QALIAS(A) TARGET(Q) PUT(DISABLED)
        get from A => 2/2016 · put m on A => 2/2051 · put1 m on A => 2/2051
        told QMGR => 44/2016/QM1/A/6/A 44/2051/QM1/A/6/A 44/2051/QM1/A/6/A · events => nothing
    """,
    "an inhibited put to another queue manager names it": """
        DEFINE QLOCAL(QM2) USAGE(XMITQ) PUT(DISABLED) · open THERE output at=QM2 as T
        put m on T => 2/2051 · told QMGR => 44/2051/QM1/THERE/6/A/QM2
    """,
    "a waiting get that is inhibited makes one event": f"""
        {Q} GET(DISABLED) · get wait wait_interval=5000 => 2/2016 · events QMGR => 2016
    """,
    "INHIBTEV(DISABLED) stops inhibit events": f"""
        {Q} GET(DISABLED) PUT(DISABLED) · ALTER QMGR INHIBTEV(DISABLED)
        get => 2/2016 · put m => 2/2051 · events QMGR => nothing
    """,
    "an event message has the defaults of its queue": f"""
        {HIGH} · ALTER QLOCAL({PERFORMANCE}) DEFPRTY(4) DEFPSIST(YES) · put m*8
        get from {PERFORMANCE} => format=MQEVENT msg_type=8 priority=4 persistence=1
    """,
    "an event message is from the queue manager": f"""
        {HIGH} · put m*8 · get from {PERFORMANCE} => put_appl_type=7 put_appl_name=QM1 reply_to_q_mgr=QM1
    """,
    **{
        f"an event that cannot be written is lost in silence: {refused}": f"""
            {HIGH} · ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE) · ALTER QLOCAL({PERFORMANCE}) {refused}
            put m*10 · put m => 2/2053 · events => nothing · depth SYSTEM.DEAD.LETTER.QUEUE => 0
        """
        for refused in ("PUT(DISABLED)", "MAXDEPTH(0)", "MAXMSGL(50)")
    },
}
SERVICE = {
    "one message, got in time": "put m · advance 1 · get · events => nothing",
    "one message, got late": "put m · advance 1.001 · get · events => 2226",
    "noticed by a put": "put m · advance 1.001 · put m · events => 2226",
    "an empty queue keeps nobody waiting": """
        put m · get · advance 5 · put m · advance 0.01 · get · events => nothing
    """,
    "a get that leaves messages starts the timer": """
        put m*2 · advance 0.6 · get · advance 0.6 · get · events => nothing
    """,
    "a put to a queue that is not empty does not": """
        put m · advance 0.6 · put m · advance 0.6 · put m · events => 2226
    """,
    "HIGH comes once": "put m · advance 1.5 · put m · advance 1.5 · put m · events => 2226",
    "then OK, then HIGH": """
        put m · advance 1.5 · put m · get · advance 0.01 · get · put m · advance 1.5 · get · events => 2226 2227 2226
    """,
    "late again is no OK": "put m*2 · advance 1.5 · get · advance 1.5 · get · events => 2226",
    "a start of the queue manager starts the timer": """
        put1 m on Q persistence=1 · disconnect · advance 5 · end · start · put1 m on Q · events => nothing
        advance 1.001 · put1 m on Q · events => 2226
    """,
    "QSVCIEV(OK) begins with OK": "ALTER QLOCAL(Q) QSVCIEV(OK) · put m · get · events => 2227",
}

test_m11_events = plays("", SCENARIOS, EventPlay)
test_m11_service_interval = plays(
    f"{Q} QSVCIEV(HIGH) QSVCINT(1000) QDPMAXEV(DISABLED)",
    SERVICE,
    EventPlay,
)


def test_m11_a_list_is_one_put_and_its_event_is_no_message_of_the_unit_of_work(
    qmgr: QueueManager,
) -> None:
    play = EventPlay(qmgr)
    play.run(f"{HIGH} · open Q output as OUT")
    play.handles["A", "OUT", "put"].put([Message(b"x") for _ in range(10)])
    play.run("told => 45/2224/QM1/Q/0/10/10/0 · take 10 · put m*8 syncpoint · events => 2225 2224")
    assert play.connection("A").unit.count == 8


QLOCAL = KINDS["QLOCAL"]
FACTS: dict[str, int | str] = {
    "QMgrName": "QM1",
    "QName": "Q",
    "ApplType": 6,
    "ApplName": "billing",
}


def call_of(qmgr: QueueManager) -> CallContext:
    with Transaction(qmgr.store.database, durable=False) as tx:
        return qmgr.call_context(tx)


@rows(("INHIBTEV", 2051, 2085), ("LOCALEV", 2085, 2051), ("REMOTEEV", 2087, 2085))
def test_an_event_is_enabled_by_the_queue_manager(
    qmgr: QueueManager,
    keyword: str,
    reason: int,
    others: int,
) -> None:
    before = call_of(qmgr)
    change_queue_manager(qmgr, {keyword: "ENABLED"})
    after = call_of(qmgr)
    # There is no event for 2033.
    enabled = [
        queue_events.is_enabled(call, each)
        for call in (before, after)
        for each in (reason, others, 2033)
    ]
    assert enabled == [False, False, False, True, False, False]


def test_a_switch_without_a_column_is_read_from_the_definition(qmgr: QueueManager) -> None:
    def switch() -> str:
        with Transaction(qmgr.store.database, durable=False) as tx:
            return queue_events.switch(tx, "QM1", "STRSTPEV")

    assert switch() == "ENABLED"
    change_queue_manager(qmgr, {"STRSTPEV": "DISABLED"})
    assert switch() == "DISABLED"


def effect_of(qmgr: QueueManager) -> Deliver:
    """Return the effect of event 2051."""
    with Transaction(qmgr.store.database, durable=False) as tx:
        (effect,) = queue_events.event(tx, qmgr.call_context(tx), 2051, FACTS, "Q")
    assert isinstance(effect, Deliver)
    return effect


def test_the_effect_of_an_event(qmgr: QueueManager) -> None:
    effect = effect_of(qmgr)
    assert (effect.kind, effect.queue, effect.queue_manager, effect.about) == (
        EVENT,
        QMGR_EVENT,
        "",
        "Q",
    )
    assert (effect.unit, effect.kept, effect.dead_letter, effect.cause) == (None, False, False, "")
    header, parameters = pcf.unpack(effect.body)
    assert (header.command, header.reason, header.control, header.msg_seq_number) == (
        44,
        2051,
        pcf.LAST,
        1,
    )
    assert [each.value for each in parameters] == ["QM1", "Q", 6, "billing"]
    made = effect.descriptor
    assert (made.correl_id, made.reply_to_q_mgr) == (bytes(24), "QM1")
    assert made.coded_char_set_id == call_of(qmgr).qmgr.ccsid


def test_priority_and_persistence_are_those_of_the_event_queue_or_of_an_alias_in_its_place(
    qmgr: QueueManager,
) -> None:
    change(qmgr, QLOCAL, QMGR_EVENT, {"DEFPRTY": 7, "DEFPSIST": "YES"})
    made = effect_of(qmgr).descriptor
    assert (made.priority, made.persistence) == (7, 1)
    delete(qmgr, QLOCAL, QMGR_EVENT, purge=True)
    with Transaction(qmgr.store.database, durable=False) as tx:
        assert queue_events.event(tx, qmgr.call_context(tx), 2051, FACTS, "Q") == []
    create(qmgr, QLOCAL, "EVENTS", {"DEFPRTY": 1})
    create(qmgr, KINDS["QALIAS"], QMGR_EVENT, {"TARGET": "EVENTS", "DEFPRTY": 5})
    effect = effect_of(qmgr)
    assert (effect.queue, effect.descriptor.priority) == (QMGR_EVENT, 5)


def test_a_message_of_several_that_belong_together(qmgr: QueueManager) -> None:
    content = EventPart(CONFIGURATION, 2368, [Parameter(1016, 1)], b"c" * 24, 2, pcf.NOT_LAST)
    with Transaction(qmgr.store.database, durable=False) as tx:
        (effect,) = queue_events.message(tx, qmgr.call_context(tx), content, "Q")
    assert isinstance(effect, Deliver)
    header, parameters = pcf.unpack(effect.body)
    assert (effect.queue, effect.descriptor.correl_id) == ("SYSTEM.ADMIN.CONFIG.EVENT", b"c" * 24)
    assert (header.reason, header.msg_seq_number, header.control) == (2368, 2, pcf.NOT_LAST)
    assert parameters == [Parameter(1016, 1)]
