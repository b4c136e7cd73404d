"""Events (events.md §7, N01 to N37, N41, N42): those of the queue manager, of performance and of
the configuration.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import mqsc
from mqsc.language.inert import inert_because
from mqsc.scripts.export import definitions
from mqsc.store.admin.channel.run_events import define_automatically
from mqsc.store.admin.inquiring import inquire, inquire_queue_manager
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.pcf import NAME, pcf_attributes
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQIA, MQOO
from mqsc.store.rules.object_events import OBJECT_TYPES, object_parameters
from tests.scenarios.looking import ReadEvent, events_on
from tests.scenarios.pages import page
from tests.scenarios.play import Play, done
from tests.scenarios.words import Outcome

QMGR, CONFIG = "SYSTEM.ADMIN.QMGR.EVENT", "SYSTEM.ADMIN.CONFIG.EVENT"
DESCR, PUT = 2013, 10


class EventPlay(Play):
    """Two causes of events more: `called R` for a receiver that is not there, `connect USER
    PASSWORD`.
    """

    def _called(self, who: str, words: list[str]) -> Outcome:
        assert define_automatically(self.qmgr, words[0], "local(QM9)")
        return done

    def _connect(self, who: str, words: list[str]) -> Outcome:
        self.qmgr.connect(user=words[0], password=words[1])
        return done


@pytest.fixture
def play(qmgr: QueueManager) -> EventPlay:
    return EventPlay(qmgr)


@pytest.mark.parametrize("scenario", page("events"))
def test_events(play: EventPlay, scenario: str) -> None:
    play.run(scenario)


def test_n01_an_unknown_queue(play: EventPlay) -> None:
    play.run("raised\nALTER QMGR LOCALEV(ENABLED)\nopen NOPE output => 2/2085")
    (event,) = events_on(play.qmgr, QMGR)
    header, descriptor = event.header, event.message.descriptor
    assert (header.command, header.version, header.reason, header.comp_code) == (44, 1, 2085, 1)
    parameters = [(each.number, each.value) for each in event.parameters]
    assert parameters == [(2015, "QM1"), (1, 6), (3024, "A"), (2016, "NOPE")]
    assert (descriptor.put_appl_type, descriptor.put_appl_name, descriptor.format) == (
        7,
        "QM1",
        "MQEVENT",
    )


def test_an_unknown_process_and_names_that_no_queue_can_have(play: EventPlay) -> None:
    play.run(
        "raised\nALTER QMGR LOCALEV(ENABLED) REMOTEEV(ENABLED)\nopen NOPE inquire type=PROCESS => "
        "2/2085",
    )
    for reason, name, manager in (
        (2085, "no such!", ""),
        (2184, "", "QM9"),
        (2086, "Q", "no such!"),
    ):
        with pytest.raises(mqsc.MQError, match=str(reason)):
            play.connection("A").open(name, MQOO.OUTPUT, queue_manager=manager)
    play.run("raised => 2085/QM1/6/A/NOPE 2085/QM1/6/A/no_such! 2184/QM1//6/A/QM9")


def test_n21_the_first_start(store: Store) -> None:
    (event,) = events_on(store.create_queue_manager("QM2"), QMGR)
    assert [(each.number, each.value) for each in event.parameters] == [
        (2015, "QM2"),
        (3191, "localhost"),
        (1020, 31),
    ]
    assert (event.header.command, event.header.reason) == (44, 2222)


def test_n26_display_shows_the_values_in_force_and_export_the_definition(play: EventPlay) -> None:
    play.run("""
        ALTER QMGR PERFMEV(ENABLED)
        DEFINE QLOCAL(Q) MAXDEPTH(10) QDPHIEV(ENABLED)
        put1 m*8
        DISPLAY QLOCAL(Q) QDPHIEV QDPLOEV => QDPHIEV=DISABLED QDPLOEV=ENABLED
    """)
    inquired = play.handle("A", "Q", "inquire", MQOO.INQUIRE).inquire(
        MQIA.Q_DEPTH_HIGH_EVENT,
        MQIA.Q_DEPTH_LOW_EVENT,
    )
    assert list(inquired.values()) == [0, 1]
    (definition,) = definitions(play.qmgr, KINDS["QLOCAL"], "Q")
    assert (definition.values["QDPHIEV"], definition.values["QDPLOEV"]) == ("ENABLED", "DISABLED")


def configured(play: EventPlay, commands: str = "") -> list[ReadEvent]:
    """Get the configuration events of the commands."""
    play.run("ALTER QMGR CONFIGEV(ENABLED)\nraised CONFIG\n" + commands)
    return events_on(play.qmgr, CONFIG)


def test_n30_define(play: EventPlay) -> None:
    (event,) = configured(play, "DEFINE QLOCAL(Q)")
    header = event.header
    assert (
        header.command,
        header.version,
        header.reason,
        header.msg_seq_number,
        header.control,
    ) == (43, 2, 2367, 1, 1)
    numbers = [(each.number, each.value) for each in event.parameters]
    assert numbers[:5] == [(3045, "tester"), (1011, 1), (3047, "QM1"), (1016, 1), (2016, "Q")]
    assert numbers[-1] == (20, 1)
    values = dict(numbers)
    assert (values[int(MQIA.MAX_Q_DEPTH)], values[DESCR], values[PUT]) == (5000, "", 0)
    assert not {int(MQIA.CURRENT_Q_DEPTH), int(MQIA.OPEN_INPUT_COUNT)} & values.keys()
    kinds = [isinstance(each.value, str) for each in event.parameters[5:]]
    assert kinds == sorted(kinds, reverse=True)


def test_n31_alter_shows_the_object_before_and_after(play: EventPlay) -> None:
    play.run("DEFINE QLOCAL(Q)")
    before, after = configured(play, "ALTER QLOCAL(Q) DESCR('x')")
    headers = [
        (each.header.reason, each.header.msg_seq_number, each.header.control)
        for each in (before, after)
    ]
    assert headers == [(2368, 1, 0), (2368, 2, 1)]
    assert (before.value(DESCR), after.value(DESCR)) == ("", "x")
    assert before.message.descriptor.correl_id == after.message.descriptor.correl_id != bytes(24)


def test_n36_enabling_shows_every_object(play: EventPlay) -> None:
    play.run("REFRESH QMGR TYPE(CONFIGEV) => AMQ8425E\nALTER QMGR CONFIGEV(ENABLED)")
    events = events_on(play.qmgr, CONFIG)
    assert [each.header.reason for each in events[:3]] == [2368, 2368, 2370]
    assert {each.header.reason for each in events[3:]} == {2370}
    assert {each.value(1016) for each in events} >= {1, 2, 3, 5, 6, 7, 11, 12, 1016}
    assert len({each.message.descriptor.correl_id for each in events}) == 1
    play.run("ALTER QMGR CONFIGEV(DISABLED)\nDEFINE QLOCAL(Q)\nraised CONFIG => 2368 2368")


def test_channel_authentication_and_authority_records(play: EventPlay) -> None:
    (event,) = configured(play, "SET CHLAUTH('A.*') TYPE(BLOCKUSER) USERLIST('eve')")
    assert (event.header.reason, event.value(1016), event.value(3568)) == (2367, 1016, ["eve"])
    profile = "AUTHREC PROFILE(Q) OBJTYPE(QUEUE)"
    play.run(f"SET {profile} GROUP('sales', 'bank') AUTHADD(GET)\nraised CONFIG => 2367 2367")
    before, after = configured(play, f"SET {profile} GROUP('sales') AUTHADD(PUT)")
    assert [each.number for each in before.parameters[3:]] == [1016, 3067, 1412, 3068, 1118, 1115]
    assert (before.value(1115), sorted(after.value(1115))) == ([9], [9, 11])  # type: ignore[arg-type]
    play.run(f"DELETE {profile} GROUP('sales')\nraised CONFIG => 2369")


def test_every_attribute_that_display_shows_has_a_value_in_pcf(qmgr: QueueManager) -> None:
    missing = []
    for kind in (
        each
        for each in KINDS.values()
        if each.keyword in OBJECT_TYPES and each.keyword != "AUTHREC"
    ):
        rows = pcf_attributes(kind.keyword)
        shown: list[Mapping[str, object]] = (
            [inquire_queue_manager(qmgr)] if kind.keyword == "QMGR" else []
        )
        for values in shown or inquire(qmgr, [kind], "*"):
            numbers = {each.number for each in object_parameters(kind, "N", values)}
            subtype = str(values.get(kind.selector, ""))
            words = [
                word
                for word in kind.shown(subtype)
                if word in rows and word in values and word != NAME
            ]
            missing += [
                (kind.keyword, word, values[word])
                for word in words
                if rows[word].number not in numbers
            ]
    left_out = {"CURDEPTH", "IPPROCS", "OPPROCS"} | {
        word for kind in KINDS.values() for word, row in kind.attributes.items() if row.secret
    }
    assert [each for each in missing if each[1] not in left_out] == []


def test_objects_of_a_group_show_their_disposition(store: Store) -> None:
    first, second = (store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2))
    play = Play(first, second)
    play.run("*: ALTER QMGR CONFIGEV(ENABLED)\nraised CONFIG\nQM2: raised CONFIG")
    play.run("DEFINE QLOCAL(G) QSGDISP(GROUP)\nDEFINE QLOCAL(OWN)")
    master, copy, own = events_on(first, CONFIG)
    dispositions = [
        [each.value for each in event.parameters if each.number == 63]
        for event in (master, copy, own)
    ]
    assert dispositions == [[3], [1], []]
    assert [(each.number, each.value) for each in master.parameters[4:6]] == [(2016, "G"), (63, 3)]
    assert master.message.descriptor.correl_id == copy.message.descriptor.correl_id
    play.run("QM2: raised CONFIG 3047 63 => 2367/QM2/1")


IDPWOS = "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS)"
# For each attribute that enables events, the queue of the event, and the steps that cause one.
CAUSES = {
    "AUTHOREV": (
        "QMGR",
        f"{IDPWOS} CHCKLOCL(REQUIRED)\nconnect mallory guess => 2/2035\n{IDPWOS} "
        "CHCKLOCL(OPTIONAL)",
    ),
    "CHADEV": ("CHANNEL", "ALTER QMGR CHAD(ENABLED)\nDELETE CHANNEL(R) IGNSTATE(YES)\ncalled R"),
    "CHLEV": ("CHANNEL", "START CHANNEL(C)\nSTOP CHANNEL(C) STATUS(INACTIVE)"),
    "CMDEV": ("COMMAND", "DEFINE QLOCAL(D) REPLACE"),
    "CONFIGEV": ("CONFIG", "DEFINE QLOCAL(D) REPLACE"),
    "INHIBTEV": ("QMGR", "put1 x on INHIBITED => 2/2051"),
    "LOCALEV": ("QMGR", "open NOPE output => 2/2085"),
    "PERFMEV": ("PERFM", "put1 x on FULL => 2/2053"),
    "REMOTEEV": ("QMGR", "open Q output at=QM9 => 2/2087"),
    "STRSTPEV": ("QMGR", "end\nstart"),
}
SWITCHES = [
    word
    for word, row in KINDS["QMGR"].attributes.items()
    if word.endswith("EV") and "ALTER" in row.verbs
]
INERT = [word for word in SWITCHES if inert_because(KINDS["QMGR"], KINDS["QMGR"].attributes[word])]


def test_every_switch_works_or_is_listed_as_inert() -> None:
    assert sorted([*CAUSES, *INERT]) == sorted(SWITCHES)
    assert sorted(INERT) == ["BRIDGEEV", "LOGGEREV", "SSLEV"]


@pytest.mark.parametrize(
    ("keyword", "queue", "cause"),
    [(word, *row) for word, row in CAUSES.items()],
)
def test_a_switch_that_works(play: EventPlay, keyword: str, queue: str, cause: str) -> None:
    play.run("""
        DEFINE QLOCAL(INHIBITED) PUT(DISABLED)
        DEFINE QLOCAL(FULL) MAXDEPTH(0)
        DEFINE QLOCAL(T) USAGE(XMITQ)
        DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h') XMITQ(T)
    """)
    play.run("\n".join(f"ALTER QMGR {word}(DISABLED)" for word in CAUSES))
    play.run(f"raised {queue}\n{cause}\nraised {queue} => nothing")
    play.run(f"ALTER QMGR {keyword}(ENABLED)\nraised {queue}\n{cause}")
    assert events_on(play.qmgr, f"SYSTEM.ADMIN.{queue}.EVENT") != []


def test_an_inert_switch(play: EventPlay) -> None:
    """LOGGEREV cannot be enabled. The others never raise an event, not even for calls that need
    authority.
    """
    play.run("\n".join(f"ALTER QMGR {word}(ENABLED)" for word in INERT if word != "LOGGEREV"))
    play.run("""
        ALTER QMGR CHAD(ENABLED) CHLAUTH(ENABLED) CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)
        DEFINE QLOCAL(Q)
        DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h') XMITQ(X) SSLCIPH(ANY)
        SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('mallory') AUTHADD(NONE)
        SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('mallory') ACTION(REPLACE)
        SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)
        raised
        MALLORY: open Q output input-shared set inquire
        MALLORY: put x
        MALLORY: get => x
        START CHANNEL(C) => AMQ9509E
        PING CHANNEL(C) => AMQ9202E
        REFRESH SECURITY
        raised => nothing
        raised CHANNEL => nothing
        ALTER QMGR LOGGEREV(ENABLED) => AMQ8518E
    """)
