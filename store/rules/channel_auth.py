"""Channel authentication records: which record decides about a client, and the patterns in records.

A record is a dict of the attributes of CHLAUTH with its profile under CHLAUTH. Records are compared
in MQ's order: the channel name, then the certificate, its issuer, the user or queue manager, the
address, the host name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from mqsc.store.constants import MQRCCF
from mqsc.store.rules.authorization import ADMINISTRATORS

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
    found = deciding(records, client)
    last = found[-1] if found else None
    if last is None or client.is_warned_by(last):
        return ChannelVerdict("", client.own_user, None, tuple(found))
    blocks = (
        str(last["TYPE"])
        if last["TYPE"] in LISTS
        else ("NOACCESS" if last["USERSRC"] == "NOACCESS" else "")
    )
    about = [each for each in records if fits(str(each["CHLAUTH"]), client.channel)]
    mapping = last if last["TYPE"] not in LISTS else next(_mappings_that_allow(about, client), None)
    user = client.own_user if mapping is None else _user(mapping, client)
    return ChannelVerdict(
        blocks,
        user,
        last,
        tuple(found[:-1]),
        str(last.get("CHCKCLNT") or "ASQMGR"),
    )


def record_key(record: Record) -> tuple[str, ...]:
    """What tells a record from all others."""
    words = ("CHLAUTH", "TYPE", "ADDRESS", "CLNTUSER", "QMNAME", "SSLCERTI", "SSLPEER")
    return tuple(str(record.get(word) or "") for word in words)


def missing(given: Mapping[str, Any], action: str) -> str:
    """The keyword of the list that SET CHLAUTH requires but was not given; blank when nothing is
    missing.
    """
    items = LISTS.get(given["TYPE"], "")
    return "" if action in ("REMOVE", "REMOVEALL") or not items or given.get(items) else items


def fault(profile: str, given: Mapping[str, Any], action: str) -> int:
    """The MQRCCF of the first rule of SET CHLAUTH that the attributes break, or 0.

    CHLAUTH_NAME_ERROR for BLOCKADDR with another profile than *, WRONG_CHLAUTH_ACTION for
    attributes that the action does not take, WRONG_CHLAUTH_USERSRC for MCAUSER without USERSRC(MAP)
    or the reverse, SSL_PEER_NAME_ERROR for an SSLPEER or SSLCERTI that is not a distinguished name.
    """
    kind = given["TYPE"]
    if kind == "BLOCKADDR" and profile != "*":
        return int(MQRCCF.CHLAUTH_NAME_ERROR)
    removing = action in ("REMOVE", "REMOVEALL")
    unwanted = [*_NOT_ON_REMOVAL] if removing else []
    unwanted += [LISTS[kind]] if action == "REMOVEALL" and kind in LISTS else []
    if any(word in given for word in unwanted):
        return int(MQRCCF.WRONG_CHLAUTH_ACTION)
    if (
        not removing
        and kind not in LISTS
        and (given.get("USERSRC", "MAP") == "MAP") != bool(given.get("MCAUSER"))
    ):
        return int(MQRCCF.WRONG_CHLAUTH_USERSRC)
    named = [str(given.get(word, "")) for word in ("SSLPEER", "SSLCERTI")]
    if any(distinguished_name(text) is None for text in named):
        return int(MQRCCF.SSL_PEER_NAME_ERROR)
    return 0


def addresses_of(record: Record) -> list[str]:
    """The addresses in ADDRESS or ADDRLIST."""
    return [str(each) for each in (record.get("ADDRESS"), *(record.get("ADDRLIST") or ())) if each]


def invalid_address(given: Mapping[str, Any], others: Iterable[str]) -> tuple[int, str]:
    """The MQRCCF for the first invalid address, and that address; (0, "") if all are valid.

    IPADDR_ERROR for an invalid address or pattern, or a host name in ADDRLIST; IPADDR_RANGE_ERROR
    for a range that does not rise; IPADDR_RANGE_CONFLICT if a range overlaps that of another
    address of the profile in part.
    """
    seen = [*others]
    for address in addresses_of(given):
        reason = address_fault(address, host_names=given["TYPE"] != "BLOCKADDR")
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


def _rank(record: Record) -> tuple[int, int, int, int, int, int]:
    address, name = str(record.get("ADDRESS", "")), str(record.get("QMNAME", ""))
    by_host = bool(address) and is_host_name(address)
    return (
        specificity(str(record["CHLAUTH"])),
        peer_specificity(str(record.get("SSLPEER", ""))),
        peer_specificity(str(record.get("SSLCERTI", ""))),
        specificity(str(record.get("CLNTUSER", "")) or name) + 1
        if record["TYPE"] in ("USERMAP", "QMGRMAP")
        else 0,
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


# Patterns of channel authentication records: channel names, IP addresses, host names and
# distinguished names.
#
# `*` matches any characters anywhere in a pattern. When several patterns match, the one with the
# highest specificity applies. Other patterns: generic object names are in `names`, profiles of
# authority records in `authority`.

EXACT = 1_000
# The attributes of a distinguished name that SSLPEER may contain.
DISTINGUISHED_NAME_ATTRIBUTES = frozenset(
    "C CN DC DNQ E EMAIL GENERATIONQUALIFIER GIVENNAME INITIALS L MAIL NAME O OU PC POSTALCODE S "
    "SERIALNUMBER SN SP ST"
    " STREET SURNAME T TITLE UID UNSTRUCTUREDADDRESS UNSTRUCTUREDNAME USERID".split(),
)
_PART = re.compile(r"\s*([A-Za-z0-9.]+)\s*=\s*((?:\"[^\"]*\"|\\.|[^,;+\\])*)")
_IPV4 = re.compile(r"[0-9.*-]+")


@lru_cache(maxsize=512)
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(
        "".join(".*" if char == "*" else re.escape(char) for char in pattern),
        re.DOTALL,
    )


def fits(pattern: str, name: str) -> bool:
    """Whether a name matches; each `*` in the pattern matches any number of characters,
    including none.
    """
    return _expression(pattern).fullmatch(name) is not None


def specificity(pattern: str) -> int:
    """A pattern without `*` is the most specific; otherwise the number of its other characters
    counts.
    """
    return EXACT if "*" not in pattern else len(pattern.replace("*", ""))


def is_host_name(pattern: str) -> bool:
    """Whether an address pattern matches host names rather than IP addresses."""
    return ":" not in pattern and not _IPV4.fullmatch(pattern)


def address_fits(pattern: str, address: str) -> bool:
    """Whether an address matches: each part exactly, as a range (1-8), or by `*`, which may be
    several parts.

    A pattern that is not one of IP addresses is a pattern of host names.
    """
    if is_host_name(pattern) or is_host_name(address):
        return fits(pattern.lower(), address.lower())
    if pattern == "*":
        return True
    wanted, parts = _ranges(pattern), _ranges(address)
    return (
        wanted is not None
        and parts is not None
        and len(wanted) == len(parts)
        and all(
            low <= number <= high for (low, high), (number, _) in zip(wanted, parts, strict=True)
        )
    )


def address_fault(pattern: str, *, host_names: bool) -> int:
    """The MQRCCF for an invalid pattern of addresses, or 0; a host name is valid only with
    `host_names`.
    """
    if is_host_name(pattern):
        return 0 if host_names else int(MQRCCF.IPADDR_ERROR)
    ranges = _ranges(pattern)
    if pattern == "*":
        return 0
    if ranges is None:
        return int(MQRCCF.IPADDR_ERROR)
    written = re.split(r"[.:]", pattern)
    return (
        int(MQRCCF.IPADDR_RANGE_ERROR)
        if any("-" in each and not _is_rising(each) for each in written)
        else 0
    )


def overlap(pattern: str, other: str) -> bool:
    """Whether a range of one pattern overlaps a range of the other in part, which leaves their
    order undecided.
    """
    pairs = [*zip(_ranges(pattern) or (), _ranges(other) or (), strict=False)]
    common = all(low <= high2 and low2 <= high for (low, high), (low2, high2) in pairs)
    return common and any(
        low < low2 <= high < high2 or low2 < low <= high2 < high
        for (low, high), (low2, high2) in pairs
    )


@lru_cache(maxsize=512)
def _ranges(pattern: str) -> tuple[tuple[int, int], ...] | None:
    """The lowest and highest number of each part of an IP address; None if the pattern is not
    valid.
    """
    is_ipv6 = ":" in pattern
    separator, count, base, most = (":", 8, 16, 0xFFFF) if is_ipv6 else (".", 4, 10, 255)
    parts = _filled(pattern, separator, count)
    if parts is None:
        return None
    found = []
    for part in parts:
        low, dash, high = part.partition("-")
        numbers = [_number(each, base, most) for each in ((low, high) if dash else (low,))]
        if part == "*":
            found.append((0, most))
        elif None in numbers:
            return None
        else:
            found.append((numbers[0] or 0, numbers[-1] or 0))
    return tuple(found)


def _filled(pattern: str, separator: str, count: int) -> list[str] | None:
    """The parts of a pattern, as many as an address has; None if there are too many or too few."""
    if "::" in pattern:
        before, _, after = pattern.partition("::")
        ends = [each.split(":") if each else [] for each in (before, after)]
        zeros = count - len(ends[0]) - len(ends[1])
        # With an asterisk it would be ambiguous which parts are zero.
        return None if zeros < 1 or pattern.endswith("*") else [*ends[0], *["0"] * zeros, *ends[1]]
    parts = pattern.split(separator)
    if parts[-2:] == ["*", "*"]:
        return None
    if len(parts) < count and "*" in parts:
        at = len(parts) - 1 if parts[-1] == "*" else parts.index("*")
        parts[at:at] = ["*"] * (count - len(parts))
    return parts if len(parts) == count else None


def _number(text: str, base: int, most: int) -> int | None:
    """A part of an address as a number; None if it is not one."""
    try:
        number = int(text, base) if text.isalnum() else most + 1
    except ValueError:
        return None
    return number if number <= most else None


def _is_rising(part: str) -> bool:
    low, _, high = part.partition("-")
    return int(low, 16) < int(high, 16)


def distinguished_name(text: str) -> list[tuple[str, str]] | None:
    """The parts of a distinguished name as (attribute, value), in order; None if it is invalid."""
    found, at = [], 0
    while at < len(text.rstrip()):
        part = _PART.match(text, at)
        if part is None or part[1].upper() not in DISTINGUISHED_NAME_ATTRIBUTES:
            return None
        found.append((part[1].upper(), part[2].strip().strip('"')))
        at = part.end()
        if at < len(text) and text[at] in ",;+":
            at += 1
        elif at < len(text.rstrip()):
            return None
    return found


def peer_fits(pattern: str, peer: str) -> bool:
    """Whether a distinguished name contains every part of the pattern; `*` in a value matches
    any characters.
    """
    wanted, parts = distinguished_name(pattern), distinguished_name(peer)
    if wanted is None or parts is None:
        return False
    return all(
        any(key == name and fits(value, text) for name, text in parts) for key, value in wanted
    )


def peer_specificity(pattern: str) -> int:
    """More parts are more specific; a blank pattern matches any name and is the least specific."""
    parts = distinguished_name(pattern) or []
    return sum(EXACT + specificity(value) for _, value in parts)
