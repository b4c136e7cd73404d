"""SET: authority records and channel authentication records."""

from __future__ import annotations

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, check, last_line, set_up, values

AUTHORITIES = "DISPLAY AUTHREC PROFILE(A) OBJTYPE(QUEUE)"
ON_A = "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE)"


def test_authorities_are_added_and_removed(qmgr: QueueManager) -> None:
    set_up(
        qmgr,
        f"{ON_A} PRINCIPAL('joe') GROUP('g') AUTHADD(GET,PUT)\n{ON_A} GROUP('g') AUTHRMV(GET)",
    )
    found = sorted(values(qmgr, AUTHORITIES, "ENTTYPE", "ENTITY", "AUTHLIST"))
    assert found == [("GROUP", "g", ["PUT"]), ("PRINCIPAL", "joe", ["GET", "PUT"])]


def test_refused_authorities(qmgr: QueueManager) -> None:
    wanted = {
        f"{ON_A} PRINCIPAL('joe')": ("AMQ8421E", MQRCCF.AUTH_VALUE_MISSING),
        f"{ON_A} AUTHADD(GET)": ("AMQ8421E", MQRCCF.ENTITY_NAME_MISSING),
        f"{ON_A} PRINCIPAL('joe') AUTHADD(CONNECT)": ("AMQ8425E", MQRCCF.AUTH_VALUE_ERROR),
        f"{ON_A} PRINCIPAL('joe') AUTHADD(GET) SERVCOMP('x')": (
            "AMQ8101S",
            MQRC.UNKNOWN_COMPONENT_NAME,
        ),
        "SET AUTHREC OBJTYPE(QUEUE) PRINCIPAL('joe') AUTHADD(GET)": (
            "AMQ8421E",
            MQRCCF.PROFILE_NAME_MISSING,
        ),
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('joe') AUTHADD(CONNECT)": ("AMQ8862I", 0),
        "SET LOG ARCHIVED('S0000001.LOG')": ("MQSC0003E", 0),
    }
    check(qmgr, wanted)
    assert values(qmgr, AUTHORITIES, "ENTITY") == []


def test_channel_records_are_added_replaced_and_removed(qmgr: QueueManager) -> None:
    mapping = "SET CHLAUTH(C) TYPE(USERMAP) CLNTUSER('joe')"
    wanted = {
        f"{mapping} MCAUSER('a')": ("AMQ8877I", 0),
        f"{mapping} MCAUSER('b')": ("AMQ8883E", MQRCCF.CHLAUTH_ALREADY_EXISTS),
        f"{mapping} MCAUSER('c') ACTION(REPLACE)": ("AMQ8877I", 0),
    }
    check(qmgr, wanted)
    assert values(qmgr, "DISPLAY CHLAUTH(C)", "CLNTUSER", "MCAUSER") == [("joe", "c")]
    assert answer(qmgr, f"{mapping} ACTION(REMOVE)") == ("AMQ8877I", 0)
    for command in (f"{mapping} ACTION(REMOVE)", "DISPLAY CHLAUTH(C)"):
        assert answer(qmgr, command) == ("AMQ8884E", MQRCCF.CHLAUTH_NOT_FOUND)


def test_addresses_of_channel_rules_are_checked(qmgr: QueueManager) -> None:
    wrong = "SET CHLAUTH(A) TYPE(ADDRESSMAP) USERSRC(CHANNEL) ADDRESS('10.5-0.*')"
    listed = "SET CHLAUTH(*) TYPE(BLOCKADDR) ADDRLIST('www.example.com')"
    check(
        qmgr,
        {wrong: ("AMQ8425E", MQRCCF.IPADDR_RANGE_ERROR), listed: ("AMQ8425E", MQRCCF.IPADDR_ERROR)},
    )
    assert (
        last_line(qmgr, wrong) == "10.5-0.*: the first number of a range must be below the second."
    )
