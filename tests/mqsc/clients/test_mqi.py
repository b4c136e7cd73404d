"""Every call with arguments that are no structures, no handles, or no numbers: it answers, and never raises."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mqsc.clients import calls
from mqsc.clients.mqi import Mqi, Values
from store.constants import MQOT
from tests.mqsc.clients.caller import Caller, cno, gmo, md, od, pmo

OD, MD, PMO, GMO, CNO, CSP, BO = 2044, 2026, 2173, 2186, 2139, 2595, 2134
CSP_1 = b"CSP \1\0\0\0".ljust(56, b"\0")
# Each structure of a call: the call, with the structure left out, a valid one, and the reason for an invalid one.
PARAMETERS: dict[str, tuple[Callable[[Caller, int, Any], Values], bytes, int]] = {
    "MQCONNX MQCNO": (lambda c, _, given: c.mqi.MQCONNX(b"QM1", given), cno(), CNO),
    "MQCONNX MQCSP": (lambda c, _, given: c.mqi.MQCONNX(b"QM1", cno(), given), CSP_1, CSP),
    "MQOPEN MQOD": (lambda c, _, given: c.mqi.MQOPEN(c.number, given, 16), od("Q"), OD),
    "MQPUT MQMD": (lambda c, q, given: c.mqi.MQPUT(c.number, q, given, pmo(), b""), md(), MD),
    "MQPUT MQPMO": (lambda c, q, given: c.mqi.MQPUT(c.number, q, md(), given, b""), pmo(), PMO),
    "MQPUT1 MQOD": (lambda c, _, given: c.mqi.MQPUT1(c.number, given, md(), pmo(), b""), od("Q"), OD),
    "MQPUT1 MQMD": (lambda c, _, given: c.mqi.MQPUT1(c.number, od("Q"), given, pmo(), b""), md(), MD),
    "MQPUT1 MQPMO": (lambda c, _, given: c.mqi.MQPUT1(c.number, od("Q"), md(), given, b""), pmo(), PMO),
    "MQGET MQMD": (lambda c, q, given: c.mqi.MQGET(c.number, q, given, gmo(), 9), md(), MD),
    "MQGET MQGMO": (lambda c, q, given: c.mqi.MQGET(c.number, q, md(), given, 9), gmo(), GMO),
    "MQBEGIN MQBO": (lambda c, _, given: c.mqi.MQBEGIN(c.number, given), b"BO  \1\0\0\0\0\0\0\0", BO),
}
# Where NULL means that there is none.
OPTIONAL = {"MQCONNX MQCSP", "MQBEGIN MQBO"}


def spoiled(valid: bytes) -> Iterator[Any]:
    """No structure, too short ones, another StrucId, and versions that do not exist."""
    yield None
    yield from (b"", valid[:4], valid[:7], valid[: min(len(valid) - 1, 11)])
    yield b"XXXX" + valid[4:]
    yield from (valid[:4] + version.to_bytes(4, "little", signed=True) + valid[8:] for version in (0, -1, 99))
    yield "text"


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_what_is_no_such_structure(caller: Caller, parameter: str) -> None:
    call, valid, reason = PARAMETERS[parameter]
    queue = caller.open("Q")
    for given in spoiled(valid):
        if given is None and parameter in OPTIONAL:
            continue
        assert call(caller, queue, given)[-2:] == (2, reason), given
    assert call(caller, queue, valid)[-1] != reason


def test_random_structures_never_raise(caller: Caller) -> None:
    chance = random.Random(19)
    queue = caller.open("Q")
    for call, valid, _ in PARAMETERS.values():
        for _ in range(60):
            given = bytearray(valid)
            for _ in range(chance.randrange(1, 6)):
                given[chance.randrange(8, len(given))] = chance.randrange(256)
            if valid == gmo():
                # An unlimited wait is not what is tested.
                given[8:16] = (chance.getrandbits(32) & ~1).to_bytes(8, "little")
            answered = call(caller, queue, bytes(given))
            assert answered[-2] in (0, 1, 2)
            assert answered[-1] != 2195, bytes(given)


def test_a_failed_call_returns_its_structures_as_they_were(caller: Caller) -> None:
    given = md(), pmo(), gmo()
    assert caller.mqi.MQPUT(caller.number, 99, given[0], given[1], b"") == (given[0], given[1], 2, 2019)
    assert caller.mqi.MQGET(caller.number, 99, given[0], given[2], 9) == (b"", given[0], given[2], 0, 2, 2019)
    assert caller.mqi.MQOPEN(caller.number, od("NONE"), 16) == (-1, od("NONE"), 2, 2085)


def every_call(mqi: Mqi, number: Any, handle: Any) -> list[Values]:
    return [
        mqi.MQOPEN(number, od("Q"), 16),
        mqi.MQCLOSE(number, handle, 0),
        mqi.MQPUT(number, handle, md(), pmo(), b""),
        mqi.MQPUT1(number, od("Q"), md(), pmo(), b""),
        mqi.MQGET(number, handle, md(), gmo(), 9),
        mqi.MQINQ(number, handle, [3], 1, 0),
        mqi.MQSET(number, handle, [10], [0], b""),
        mqi.MQBEGIN(number),
        mqi.MQCMIT(number),
        mqi.MQBACK(number),
        mqi.MQSUB(number, b"", 0),
        mqi.MQSUBRQ(number, 0, 0, b""),
        mqi.MQDISC(number),
    ]


@pytest.mark.parametrize("number", [0, -1, -3, 999, 1 << 40])
def test_no_such_connection(mqi: Mqi, number: int) -> None:
    assert {answered[-2:] for answered in every_call(mqi, number, 2)} == {(2, 2018)}


@pytest.mark.parametrize("handle", [0, -1, 1, 999, None])
def test_no_such_handle(caller: Caller, handle: Any) -> None:
    answered = every_call(caller.mqi, caller.number, handle)
    assert [each[-1] for each in answered[1:7]] == [2019, 2019, 0, 2019, 2019, 2019]


def test_publish_and_subscribe_is_not_there_and_the_log_says_so_once(
    caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    calls._explain.cache_clear()
    assert caller.mqi.MQSUB(caller.number, b"SD", 0)[-2:] == (2, 2298)
    topic = od("", object_type=int(MQOT.TOPIC))
    assert caller.mqi.MQOPEN(caller.number, topic, 16)[-2:] == (2, 2043)
    assert caller.mqi.MQPUT1(caller.number, topic, md(), pmo(), b"")[-2:] == (2, 2043)
    (said,) = caplog.messages
    assert said.startswith("mqsc: publish/subscribe is not available on a store")


def test_messages_are_put_on_queues_only(caller: Caller) -> None:
    for kind in (MQOT.PROCESS, MQOT.Q_MGR, 99):
        given = od("Q", object_type=int(kind))
        assert caller.mqi.MQPUT1(caller.number, given, md(), pmo(), b"")[-2:] == (2, 2043)


def test_arguments_of_other_types_are_answered_too(caller: Caller) -> None:
    queue = caller.open("Q")
    text: Any = "x"
    odd = [
        caller.mqi.MQPUT(caller.number, queue, md(), pmo(), "text"),
        caller.mqi.MQGET(caller.number, queue, md(), gmo(), text),
        caller.mqi.MQINQ(caller.number, queue, None, 1, 0),
        caller.mqi.MQOPEN(caller.number, od("Q"), text),
    ]
    assert {each[-2] for each in odd} == {2}
