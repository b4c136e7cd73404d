"""Channel authentication records: which record decides about a client.

A record is a dict of the attributes of CHLAUTH with its profile under CHLAUTH. Records are compared
in MQ's order: the channel name, then the certificate, its issuer, the user or queue manager, the
address, the host name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mqsc.store.constants import MQRCCF
from mqsc.store.rules.authorization import ADMINISTRATORS
from mqsc.store.rules.channel_auth_patterns import (
    address_fault,
    address_fits,
    distinguished_name,
    fits,
    is_host_name,
    overlap,
    peer_fits,
    peer_specificity,
    specificity,
)

Record = Mapping[str, Any]
LISTS = {"BLOCKUSER": "USERLIST", "BLOCKADDR": "ADDRLIST"}
PRIVILEGED = "*MQADMIN"
ENABLED, DISABLED = "ENABLED", "DISABLED"
# The records that never decide about an end of a message channel that is called, and about a
# client.
_NOT_FOR_MESSAGE_CHANNELS, _NOT_FOR_CLIENTS = ("BLOCKUSER", "USERMAP"), ("QMGRMAP",)
_NOT_ON_REMOVAL = ("USERSRC", "MCAUSER", "CHCKCLNT", "DESCR", "CUSTOM", "WARN")


class ConnectingClient(NamedTuple):
    """An inbound connection on a channel; unknown values are blank. `channel_user` is the MCAUSER
    of the channel.

    `is_message_channel` is None if only what is known of the partner tells. `is_adopted`: the
    password of the user was right, and ADOPTCTX(YES) says that it is the user of the connection.
    `only_warned`: CHLAUTH(WARN), no record blocks.
    """

    channel: str
    address: str
    peer: str = ""
    issuer: str = ""
    user: str = ""
    queue_manager: str = ""
    channel_user: str = ""
    is_message_channel: bool | None = None
    is_adopted: bool = False
    only_warned: bool = False
    is_administrator: Callable[[str], bool] = ADMINISTRATORS.__contains__

    @property
    def own_user(self) -> str:
        """The user without a record that maps it."""
        return self.user if self.is_adopted else self.channel_user or self.user

    @property
    def ignored(self) -> tuple[str, ...]:
        """The types of records that never decide about such a connection."""
        guessed = bool(self.queue_manager and not self.user)
        is_message_channel = guessed if self.is_message_channel is None else self.is_message_channel
        return _NOT_FOR_MESSAGE_CHANNELS if is_message_channel else _NOT_FOR_CLIENTS

    def is_warned_by(self, record: Record) -> bool:
        """Whether a record that blocks the connection only warns, so that the next one decides."""
        blocks = record["TYPE"] in LISTS or record["USERSRC"] == "NOACCESS"
        return blocks and (self.only_warned or bool(record["WARN"] == "YES"))


class ChannelVerdict(NamedTuple):
    """What becomes of a connection on a channel.

    `refused` is the type of the record that refuses it, NOACCESS for one that maps to no access,
    blank for none. `user` is the user of the channel. `record` is the record that decided, None if
    none did; `warned` are those that would have blocked it, if they did not only warn. `check` is
    CHCKCLNT of the record.
    """

    refused: str
    user: str
    record: Record | None
    warned: tuple[Record, ...] = ()
    check: str = "ASQMGR"

    def warning(self, user: str) -> ChannelVerdict:
        """The same where records only warn: the connection is that of the user."""
        last = (self.record,) if self.refused and self.record else ()
        return ChannelVerdict("", user, None, (*self.warned, *last))


def judged(records: Sequence[Record], client: ConnectingClient) -> ChannelVerdict:
    """What becomes of a connection; the records that decide are those of `deciding`."""
    deciding_records = deciding(records, client)
    last = deciding_records[-1] if deciding_records else None
    if last is None or client.is_warned_by(last):
        return ChannelVerdict("", client.own_user, None, tuple(deciding_records))
    blocks = _blocking_word(last)
    about = [each for each in records if fits(str(each["CHLAUTH"]), client.channel)]
    mapping = last if last["TYPE"] not in LISTS else next(_mappings_that_allow(about, client), None)
    user = client.own_user if mapping is None else _user(mapping, client)
    return ChannelVerdict(
        blocks,
        user,
        last,
        tuple(deciding_records[:-1]),
        str(last.get("CHCKCLNT") or "ASQMGR"),
    )


def record_key(record: Record) -> tuple[str, ...]:
    """What tells a record from all others."""
    words = ("CHLAUTH", "TYPE", "ADDRESS", "CLNTUSER", "QMNAME", "SSLCERTI", "SSLPEER")
    return tuple(str(record.get(word) or "") for word in words)


def missing(attributes: Mapping[str, Any], action: str) -> str:
    """The keyword of the list that SET CHLAUTH requires but was not given; blank when nothing is
    missing.
    """
    items = LISTS.get(attributes["TYPE"], "")
    return "" if action in ("REMOVE", "REMOVEALL") or not items or attributes.get(items) else items


def fault(profile: str, attributes: Mapping[str, Any], action: str) -> int:
    """The MQRCCF of the first rule of SET CHLAUTH that the attributes break, or 0.

    CHLAUTH_NAME_ERROR for BLOCKADDR with another profile than *, WRONG_CHLAUTH_ACTION for
    attributes that the action does not take, WRONG_CHLAUTH_USERSRC for MCAUSER without USERSRC(MAP)
    or the reverse, SSL_PEER_NAME_ERROR for an SSLPEER or SSLCERTI that is not a distinguished name.
    """
    kind = attributes["TYPE"]
    if kind == "BLOCKADDR" and profile != "*":
        return int(MQRCCF.CHLAUTH_NAME_ERROR)
    removing = action in ("REMOVE", "REMOVEALL")
    unwanted = [*_NOT_ON_REMOVAL] if removing else []
    unwanted += [LISTS[kind]] if action == "REMOVEALL" and kind in LISTS else []
    if any(word in attributes for word in unwanted):
        return int(MQRCCF.WRONG_CHLAUTH_ACTION)
    if (
        not removing
        and kind not in LISTS
        and (attributes.get("USERSRC", "MAP") == "MAP") != bool(attributes.get("MCAUSER"))
    ):
        return int(MQRCCF.WRONG_CHLAUTH_USERSRC)
    named = [str(attributes.get(word, "")) for word in ("SSLPEER", "SSLCERTI")]
    if any(distinguished_name(text) is None for text in named):
        return int(MQRCCF.SSL_PEER_NAME_ERROR)
    return 0


def addresses_of(record: Record) -> list[str]:
    """The addresses in ADDRESS or ADDRLIST."""
    return [str(each) for each in (record.get("ADDRESS"), *(record.get("ADDRLIST") or ())) if each]


def invalid_address(attributes: Mapping[str, Any], others: Iterable[str]) -> tuple[int, str]:
    """The MQRCCF for the first invalid address, and that address; (0, "") if all are valid.

    IPADDR_ERROR for an invalid address or pattern, or a host name in ADDRLIST; IPADDR_RANGE_ERROR
    for a range that does not rise; IPADDR_RANGE_CONFLICT if a range overlaps that of another
    address of the profile in part.
    """
    seen = [*others]
    for address in addresses_of(attributes):
        reason = address_fault(address, host_names=attributes["TYPE"] != "BLOCKADDR")
        if reason:
            return reason, address
        if any(overlap(address, each) for each in seen):
            return int(MQRCCF.IPADDR_RANGE_CONFLICT), address
        seen.append(address)
    return 0, ""


def deciding(records: Iterable[Record], client: ConnectingClient) -> list[Record]:
    """The record that applies to a client. If it only warns (WARN(YES)), the records that apply
    after it follow.
    """
    ignored = client.ignored
    about = (record for record in records if record["TYPE"] not in ignored)
    every = [record for record in about if fits(str(record["CHLAUTH"]), client.channel)]
    answer: list[Record] = []
    for found in _in_order(every, client):
        answer.append(found)
        if not client.is_warned_by(found):
            break
    return answer


def _in_order(every: Sequence[Record], client: ConnectingClient) -> Iterable[Record]:
    for record in every:
        if record["TYPE"] == "BLOCKADDR" and any(
            address_fits(each, client.address) for each in record["ADDRLIST"]
        ):
            yield record
    mapping = _mapping(every, client)
    for record in mapping:
        blocked = (
            _blocking(every, _user(record, client), client)
            if record["USERSRC"] != "NOACCESS"
            else None
        )
        if blocked and client.is_warned_by(blocked):
            yield blocked
        yield record if not blocked or client.is_warned_by(blocked) else blocked
    # All of them only warned.
    if blocked := _blocking(every, client.own_user, client):
        yield blocked


def _mapping(every: Sequence[Record], client: ConnectingClient) -> list[Record]:
    """The mapping records that match, in the order in which they apply."""
    ignored = client.ignored
    found = (each for each in every if each["TYPE"] not in ignored and _maps(each, client))
    return sorted(found, key=_rank, reverse=True)


def _mappings_that_allow(every: Sequence[Record], client: ConnectingClient) -> Iterator[Record]:
    return (
        each
        for each in _mapping(every, client)
        if each["USERSRC"] != "NOACCESS" and not client.is_warned_by(each)
    )


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


def _blocking_word(record: Record) -> str:
    """What makes a deciding record refuse the client; blank if it admits the client."""
    if record["TYPE"] in LISTS:
        return str(record["TYPE"])
    return "NOACCESS" if record["USERSRC"] == "NOACCESS" else ""


def _rank(record: Record) -> tuple[int, int, int, int, int, int]:
    address, name = str(record.get("ADDRESS", "")), str(record.get("QMNAME", ""))
    by_host = bool(address) and is_host_name(address)
    of_name = 0
    if record["TYPE"] in ("USERMAP", "QMGRMAP"):
        of_name = specificity(str(record.get("CLNTUSER", "")) or name) + 1
    return (
        specificity(str(record["CHLAUTH"])),
        peer_specificity(str(record.get("SSLPEER", ""))),
        peer_specificity(str(record.get("SSLCERTI", ""))),
        of_name,
        0 if by_host or not address else specificity(address) + 1,
        specificity(address) + 1 if by_host else 0,
    )


def _user(record: Record, client: ConnectingClient) -> str:
    """The user ID of the client under a record that allows the connection."""
    return str(record["MCAUSER"]) if record["USERSRC"] == "MAP" else client.own_user


def _blocking(every: Sequence[Record], user: str, client: ConnectingClient) -> Record | None:
    """The most specific BLOCKUSER record, if its list contains the user."""
    lists = [record for record in every if record["TYPE"] == "BLOCKUSER"]
    if not lists or not user:
        return None
    best = max(lists, key=lambda record: specificity(str(record["CHLAUTH"])))
    users = best["USERLIST"]
    return (
        best if user in users or (PRIVILEGED in users and client.is_administrator(user)) else None
    )
