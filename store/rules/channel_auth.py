"""Channel authentication records: which are valid, and which one applies to an inbound connection.

A record is a dict of the attributes of CHLAUTH with its profile under CHLAUTH. Records are compared in MQ's order: the
channel name, then the certificate, its issuer, the user or queue manager, the address, the host name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from store.constants import MQRCCF
from store.rules import channel_auth_patterns as patterns
from store.rules.channel_auth_patterns import address_fits, fits, peer_fits, peer_specificity, specificity

Record = Mapping[str, Any]
LISTS = {"BLOCKUSER": "USERLIST", "BLOCKADDR": "ADDRLIST"}
PRIVILEGED = "*MQADMIN"
# Users that count as administrators; the group of administrators is not read.
ADMINISTRATORS = frozenset({"mqm", "root"})
_NOT_ON_REMOVAL = ("USERSRC", "MCAUSER", "CHCKCLNT", "DESCR", "CUSTOM", "WARN")


class ConnectingClient(NamedTuple):
    """An inbound connection on a channel; unknown values are blank. `channel_user` is the MCAUSER of the channel."""

    channel: str
    address: str
    peer: str = ""
    issuer: str = ""
    user: str = ""
    queue_manager: str = ""
    channel_user: str = ""


def missing(given: Mapping[str, Any], action: str) -> str:
    """The keyword of the list that SET CHLAUTH requires but was not given; blank when nothing is missing."""
    items = LISTS.get(given["TYPE"], "")
    return "" if action in ("REMOVE", "REMOVEALL") or not items or given.get(items) else items


def fault(profile: str, given: Mapping[str, Any], action: str) -> int:
    """The MQRCCF of the first rule of SET CHLAUTH that the attributes break, or 0.

    CHLAUTH_NAME_ERROR for BLOCKADDR with another profile than *, WRONG_CHLAUTH_ACTION for attributes that the action
    does not take, WRONG_CHLAUTH_USERSRC for MCAUSER without USERSRC(MAP) or the reverse, SSL_PEER_NAME_ERROR for an
    SSLPEER or SSLCERTI that is not a distinguished name.
    """
    kind = given["TYPE"]
    if kind == "BLOCKADDR" and profile != "*":
        return int(MQRCCF.CHLAUTH_NAME_ERROR)
    removing = action in ("REMOVE", "REMOVEALL")
    unwanted = [*_NOT_ON_REMOVAL] if removing else []
    unwanted += [LISTS[kind]] if action == "REMOVEALL" and kind in LISTS else []
    if any(word in given for word in unwanted):
        return int(MQRCCF.WRONG_CHLAUTH_ACTION)
    if not removing and kind not in LISTS and (given.get("USERSRC", "MAP") == "MAP") != bool(given.get("MCAUSER")):
        return int(MQRCCF.WRONG_CHLAUTH_USERSRC)
    named = [str(given.get(word, "")) for word in ("SSLPEER", "SSLCERTI")]
    if any(patterns.distinguished_name(text) is None for text in named):
        return int(MQRCCF.SSL_PEER_NAME_ERROR)
    return 0


def addresses_of(record: Record) -> list[str]:
    """The addresses in ADDRESS or ADDRLIST."""
    return [str(each) for each in (record.get("ADDRESS"), *(record.get("ADDRLIST") or ())) if each]


def invalid_address(given: Mapping[str, Any], others: Iterable[str]) -> tuple[int, str]:
    """The MQRCCF for the first invalid address, and that address; (0, "") if all are valid.

    IPADDR_ERROR for an invalid address or pattern, or a host name in ADDRLIST; IPADDR_RANGE_ERROR for a range that does
    not rise; IPADDR_RANGE_CONFLICT if a range overlaps that of another address of the profile in part.
    """
    seen = [*others]
    for address in addresses_of(given):
        reason = patterns.address_fault(address, host_names=given["TYPE"] != "BLOCKADDR")
        if reason:
            return reason, address
        if any(patterns.overlap(address, each) for each in seen):
            return int(MQRCCF.IPADDR_RANGE_CONFLICT), address
        seen.append(address)
    return 0, ""


def deciding(records: Iterable[Record], client: ConnectingClient) -> list[Record]:
    """The record that applies to a client. If it only warns (WARN(YES)), the records that apply after it follow."""
    every = [record for record in records if fits(str(record["CHLAUTH"]), client.channel)]
    answer: list[Record] = []
    for found in _in_order(every, client):
        answer.append(found)
        if found["WARN"] != "YES":
            break
    return answer


def _in_order(every: Sequence[Record], client: ConnectingClient) -> Iterable[Record]:
    for record in every:
        if record["TYPE"] == "BLOCKADDR" and any(address_fits(each, client.address) for each in record["ADDRLIST"]):
            yield record
    mapping = sorted((each for each in every if _maps(each, client)), key=_rank, reverse=True)
    for record in mapping:
        blocked = _blocking(every, _user(record, client)) if record["USERSRC"] != "NOACCESS" else None
        yield blocked or record
    if not mapping and (blocked := _blocking(every, client.channel_user or client.user)):
        yield blocked


def _maps(record: Record, client: ConnectingClient) -> bool:
    """Whether a mapping record matches the client; a blank criterion matches every client."""
    if record["TYPE"] in LISTS:
        return False
    criteria = (
        (record.get("ADDRESS"), client.address, address_fits),
        (record.get("SSLPEER"), client.peer, peer_fits),
        (record.get("SSLCERTI"), client.issuer, peer_fits),
        (record.get("CLNTUSER"), client.user, lambda wanted, user: wanted == user),
        (record.get("QMNAME"), client.queue_manager, fits),
    )
    known = {"SSLPEERMAP": client.peer, "USERMAP": client.user, "QMGRMAP": client.queue_manager}
    return bool(known.get(record["TYPE"], True)) and all(
        matches(str(wanted), actual) for wanted, actual, matches in criteria if wanted
    )


def _rank(record: Record) -> tuple[int, int, int, int, int, int]:
    address, name = str(record.get("ADDRESS", "")), str(record.get("QMNAME", ""))
    by_host = bool(address) and patterns.is_host_name(address)
    return (
        specificity(str(record["CHLAUTH"])),
        peer_specificity(str(record.get("SSLPEER", ""))),
        peer_specificity(str(record.get("SSLCERTI", ""))),
        specificity(str(record.get("CLNTUSER", "")) or name) + 1 if record["TYPE"] in ("USERMAP", "QMGRMAP") else 0,
        0 if by_host or not address else specificity(address) + 1,
        specificity(address) + 1 if by_host else 0,
    )


def _user(record: Record, client: ConnectingClient) -> str:
    """The user ID of the client under a record that allows the connection."""
    return str(record["MCAUSER"]) if record["USERSRC"] == "MAP" else client.channel_user or client.user


def _blocking(every: Sequence[Record], user: str) -> Record | None:
    """The most specific BLOCKUSER record, if its list contains the user."""
    lists = [record for record in every if record["TYPE"] == "BLOCKUSER"]
    if not lists or not user:
        return None
    best = max(lists, key=lambda record: specificity(str(record["CHLAUTH"])))
    users = best["USERLIST"]
    return best if user in users or (PRIVILEGED in users and user in ADMINISTRATORS) else None
