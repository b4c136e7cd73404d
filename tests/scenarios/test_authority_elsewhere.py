"""Authorities where the queue manager acts for a user, and where they are kept: groups, records,
other processes.

The ids are those of docs/development/specification/authority.md.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import mqsc
from mqsc import Message, MessageDescriptor
from mqsc.constants import MQOO, MQRO
from mqsc.scripts.export import ExportSelection, export_commands
from mqsc.scripts.export_output import script_lines
from mqsc.store.admin.authority_matrix import matrix
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.admin.expiry import refresh_expiry
from mqsc.store.admin.user_accounts import (
    change_groups,
    change_password,
    remove_user,
    set_mode,
    set_os_groups,
)
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.environment import Environment
from mqsc.store.error import NotAuthorizedError
from mqsc.store.rules.command_message import Issuer
from tests.conftest import START
from tests.rows import rows
from tests.scenarios.authorities import grant, opening, outcome, prepare, putting, refusals
from tests.scenarios.waiting import PauseCountingClock

WEB = "PRINCIPAL('web')"


@pytest.fixture
def qmgr(copy_of: Callable[[Callable[[Store], object]], Store]) -> QueueManager:
    return copy_of(prepare).queue_manager("QM1")


def depths(qmgr: QueueManager) -> dict[str, int]:
    """The queues with messages on them."""
    found = mqsc.run(qmgr, "DISPLAY QLOCAL(*) CURDEPTH WHERE(CURDEPTH GT 0)")[0].rows
    return {
        row["QUEUE"]: row["CURDEPTH"] for row in found if not row["QUEUE"].startswith("SYSTEM.")
    }


def asking(report: int, expiry: int = -1) -> Message:
    return Message(b"m", MessageDescriptor(report=int(report), reply_to_q="B", expiry=expiry))


@rows(("put", "DLQ"), ("put passid", "B"))
def test_z60_the_putter_is_asked_for_the_queue_of_a_coa(
    qmgr: QueueManager,
    words: str,
    queue: str,
) -> None:
    grant(qmgr, "put", "Q")
    grant(qmgr, words, "B")
    assert outcome(qmgr, lambda connection: connection.put1("Q", asking(MQRO.COA))) == "0"
    assert depths(qmgr) == {"Q": 1, queue: 1}
    assert refusals(qmgr) == ([("authority", "app", "passid:B")] if queue == "DLQ" else [])


def test_z61_the_getter_is_asked_for_the_queue_of_a_cod(qmgr: QueueManager) -> None:
    grant(qmgr, "get", "Q", to=WEB)
    with qmgr.connect() as connection:
        connection.put1("Q", asking(MQRO.COD))
    assert (
        outcome(qmgr, lambda connection: connection.open("Q", MQOO.INPUT_SHARED).get(), "web")
        == "0"
    )
    assert (depths(qmgr), refusals(qmgr)) == ({"DLQ": 1}, [("authority", "web", "put:B passid:B")])


def test_z62_nobody_is_asked_for_the_report_of_a_scan(
    qmgr: QueueManager,
    clock: PauseCountingClock,
) -> None:
    grant(qmgr, "put", "Q")
    assert (
        outcome(qmgr, lambda connection: connection.put1("Q", asking(MQRO.EXPIRATION, expiry=1)))
        == "0"
    )
    clock.advance(1)
    refresh_expiry(qmgr)
    assert (depths(qmgr), refusals(qmgr)) == ({"B": 1}, [])


def test_mode_warn_puts_the_report_and_says_what_is_missing(qmgr: QueueManager) -> None:
    grant(qmgr, "put", "Q")
    set_mode(qmgr, "warn")
    assert outcome(qmgr, lambda connection: connection.put1("Q", asking(MQRO.COA))) == "0"
    assert (depths(qmgr), refusals(qmgr)) == (
        {"Q": 1, "B": 1},
        [("would-refuse", "app", "put:B passid:B")],
    )


@rows(("put passall", {"B": 1}), ("", {"DLQ": 0}))
def test_z64_a_consumer_moves_poison_messages_with_its_own_authority(
    qmgr: QueueManager,
    words: str,
    left: dict[str, int],
) -> None:
    mqsc.run(qmgr, "ALTER QLOCAL(Q) BOTHRESH(1) BOQNAME(B)", check=True)
    grant(qmgr, "get inq browse", "Q")
    if words:
        grant(qmgr, words, "B")
    with qmgr.connect() as connection:
        connection.put1("Q", Message(b"m", MessageDescriptor(persistence=1)))
        connection.open("Q", MQOO.INPUT_SHARED).get(
            mqsc.GetMessageOptions(int(mqsc.constants.MQGMO.SYNCPOINT)),
        )
        connection.back()
    with qmgr.connect("shop", "app") as connection:
        consumer = connection.consumer("Q", wait=0)
        if words:
            assert consumer.receive() is None
            connection.commit()
        else:
            with pytest.raises(mqsc.MQError, match="2362"):
                consumer.receive()
    assert depths(qmgr) == (left if words else {"Q": 1})
    assert [missing for _, _, missing in refusals(qmgr)][:1] == (
        [] if words else ["put:B passall:B"]
    )


def test_z65_nobody_is_asked_for_a_trigger_message(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, "ALTER QLOCAL(Q) TRIGGER TRIGTYPE(EVERY) PROCESS(PR) INITQ(B)", check=True)
    grant(qmgr, "put", "Q")
    with qmgr.connect() as monitor:
        monitor.open("B", MQOO.INPUT_SHARED)
        assert outcome(qmgr, putting("Q")) == "0"
        assert depths(qmgr) == {"Q": 1, "B": 1}


def test_z114_the_record_of_a_dynamic_queue_stays_without_its_creator(qmgr: QueueManager) -> None:
    grant(qmgr, "get dsp", "P")
    with qmgr.connect("shop", "app") as connection:
        handle = connection.open("P", MQOO.INPUT_SHARED, dynamic_name="D1")
        handle.close()
    qmgr.store.remove_user("app")
    records = "DISPLAY AUTHREC PROFILE(D1) MATCH(EXACT)"
    assert [row["ENTITY"] for row in mqsc.run(qmgr, records)[0].rows] == ["app"]
    mqsc.run(qmgr, "DELETE QLOCAL(D1)", check=True)
    assert not mqsc.run(qmgr, records)[0].rows


def test_a_model_of_transmission_queues_is_asked_like_one(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, "DEFINE QMODEL(XM) USAGE(XMITQ)", check=True)
    grant(qmgr, "put dsp", "XM")
    assert outcome(qmgr, opening("XM", MQOO.OUTPUT)) == "setall:XM setall:self"


def test_the_type_of_a_channel_decides_what_a_display_asks(qmgr: QueueManager) -> None:
    mqsc.run(
        qmgr,
        "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(K) CHLTYPE(CLNTCONN) CONNAME(h)",
        check=True,
    )
    grant(qmgr, "dsp", "self", type="QMGR")
    grant(qmgr, "dsp", "**", type="CHANNEL")
    qmgr.store.acting_user = "app"
    assert [
        row["CHANNEL"]
        for row in mqsc.run(qmgr, "DISPLAY CHANNEL(*)")[0].rows
        if len(row["CHANNEL"]) == 1
    ] == ["C"]


def test_a_command_for_another_member_of_the_group_is_that_of_its_message(store: Store) -> None:
    """CMDSCOPE leads to members that ask the user of the command, not the owner who runs the
    command server.
    """
    first = store.create_queue_manager("QM1", group="QSG1")
    store.create_queue_manager("QM2", group="QSG1")
    mqsc.run(first, "DEFINE QLOCAL(Q)", check=True)
    store.add_user("app", "a password")
    first.issuer = Issuer("app")
    found = mqsc.run(first, "ALTER QLOCAL(Q) MAXDEPTH(1) CMDSCOPE(*)")[0]
    assert found.completion == 2
    first.issuer = None
    assert mqsc.run(first, "DISPLAY QLOCAL(Q) MAXDEPTH")[0].rows[0]["MAXDEPTH"] == 5000


# Where they are kept.


def test_z14_groups_of_the_operating_system_count_on_request(qmgr: QueueManager) -> None:
    (group,) = qmgr.store.environment.groups_of("daemon")
    grant(qmgr, "connect", "self", to=f"GROUP('{group}')", type="QMGR")
    assert outcome(qmgr, lambda connection: None, "daemon") == "connect:self"
    set_os_groups(qmgr, on=True)
    assert outcome(qmgr, lambda connection: None, "daemon") == "0"


def test_z28_what_the_words_for_several_authorities_grant(qmgr: QueueManager) -> None:
    for word, count in (("ALL", 13), ("ALLADM", 4), ("ALLMQI", 9)):
        mqsc.run(
            qmgr,
            f"SET AUTHREC PROFILE({word}) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD({word})",
            check=True,
        )
        (reply,) = mqsc.run(qmgr, f"DISPLAY AUTHREC PROFILE({word}) MATCH(EXACT)")
        (row,) = reply.rows
        assert len(row["AUTHLIST"]) == count


def test_every_change_of_who_may_do_what_is_in_the_history(qmgr: QueueManager) -> None:
    store, seen = qmgr.store, []
    change_groups(store, "app", ["more"], ["apps"])
    change_password(store, "app", "another password")
    remove_user(store, "app")
    set_os_groups(qmgr, on=True)
    for each in events(store, EventSelection(kinds=frozenset({"ACCESS"}))):
        seen.append((each.cause, each.target, each.detail.get("before"), each.detail.get("after")))
    assert seen == [
        ("user", "adm", None, "administrator"),
        ("user", "app", None, "user"),
        ("group", "app", None, "apps"),
        ("mode", None, "auto", "enforce"),
        ("group", "app", "apps", None),
        ("group", "app", None, "more"),
        ("password", "app", None, None),
        ("group", "app", "more", None),
        ("user", "app", "user", None),
        ("os-groups", None, "off", "on"),
    ]


def test_z29_an_authority_that_the_type_lacks_changes_nothing(qmgr: QueueManager) -> None:
    command = "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT,CONNECT)"
    assert mqsc.run(qmgr, command)[0].message_id == "AMQ8425E"
    assert outcome(qmgr, putting("Q")) == "put:Q"


def test_z33_no_other_process_grants_what_was_taken_away(qmgr: QueueManager) -> None:
    """Another opening of the file keeps what users may do, as another process does."""
    with open_store(
        f"sqlite:///{qmgr.store.path}",
        environment=Environment.frozen(at=START),
    ) as other:
        connection = other.queue_manager("QM1").connect("shop", "app")
        for word, found in (("AUTHADD", "0"), ("AUTHRMV", "put:Q")) * 20:
            mqsc.run(
                qmgr,
                f"SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('app') {word}(PUT)",
                check=True,
            )
            try:
                connection.open("Q", MQOO.OUTPUT).close()
                answer = "0"
            except NotAuthorizedError as error:
                answer = " ".join(
                    f"{each.word.lower()}:{each.name}" for each in error.refusal.missing
                )
            assert answer == found
        connection.disconnect()


def test_z36_a_record_may_come_before_its_queue(qmgr: QueueManager) -> None:
    found = mqsc.run(
        qmgr,
        "SET AUTHREC PROFILE(NOSUCH) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT)",
    )[0]
    assert (found.message_id, "NOSUCH" in found.text) == ("AMQ8862I", True)
    mqsc.run(qmgr, "DEFINE QLOCAL(NOSUCH)", check=True)
    assert outcome(qmgr, putting("NOSUCH")) == "0"


def test_z113_an_export_has_the_records_and_a_copy_of_the_file_everything(
    qmgr: QueueManager,
    tmp_path: Path,
) -> None:
    grant(qmgr, "put", "Q")
    grant(qmgr, "get", "B", to="GROUP('apps')")
    with open_store("sqlite://", environment=qmgr.store.environment) as empty:
        again = empty.create_queue_manager("QM1")
        mqsc.run(
            again,
            "\n".join(script_lines(export_commands(qmgr, ExportSelection()))),
            check=True,
        )
        empty.add_user("app", "another password", groups=["apps"])
        assert matrix(again, users=["app"]) == matrix(qmgr, users=["app"])


def test_z34_what_a_user_may_do_is_the_sum_over_its_groups(qmgr: QueueManager) -> None:
    grant(qmgr, "put", "Q")
    grant(qmgr, "get", "Q", to="GROUP('apps')")

    def shown(command: str) -> list[list[str]]:
        return [row["AUTHLIST"] for row in mqsc.run(qmgr, command)[0].rows]

    assert shown("DISPLAY ENTAUTH OBJTYPE(QUEUE) OBJNAME(Q) PRINCIPAL('app')") == [["GET", "PUT"]]
    assert sorted(shown("DISPLAY AUTHREC PROFILE(Q) MATCH(MEMBERSHIP) PRINCIPAL('app')")) == [
        ["GET"],
        ["PUT"],
    ]
    (every,) = shown("DISPLAY ENTAUTH OBJTYPE(QUEUE) OBJNAME(Q) PRINCIPAL('adm')")
    assert len(every) == 14
