"""Properties in message data: found, added, merged and removed; all other bytes stay as they are
(properties §4).

A message is stored with its properties in its data. Those that were set through a message handle
are in an MQRFH2 of their own, which the queue manager writes and marks in Flags; a program never
sees the mark, because a get merges that header into the application's own one, or removes the mark.
So moves, dead letters, copies and channels carry properties without knowing of them, and an
application's own MQRFH2 comes back as it was put.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from mqsc.store.constants import MQRC
from mqsc.store.descriptor import DescribedData, MessageDescriptor
from mqsc.store.headers import layout, mqrfh2, mqrfh2_folders
from mqsc.store.headers.rules_headers import (
    HOLDERS,
    FollowingData,
    FoundHeader,
    RulesHeaders,
    locate,
    replaced,
)
from mqsc.store.rules.properties import property_names, property_set
from mqsc.store.rules.properties.property_set import Properties, Property, to_folders

RFH_ERROR, RFH_FORMAT_ERROR = int(MQRC.RFH_ERROR), int(MQRC.RFH_FORMAT_ERROR)
RFH_RESTRICTED_FORMAT = int(MQRC.RFH_RESTRICTED_FORMAT_ERR)
# Flags of the header that holds what was set through a message handle.
MARK = 0x4D510000


class FolderBytes(NamedTuple):
    """A folder of a header: its bytes, and the properties in it; None for a folder of data."""

    data: bytes
    properties: tuple[Property, ...] | None


class Header(NamedTuple):
    """An MQRFH2 with its folders; `is_marked`: the queue manager wrote it for a message handle."""

    parsed: FoundHeader
    folders: tuple[FolderBytes, ...]

    @property
    def is_marked(self) -> bool:
        return self.parsed.header.flags == MARK

    @property
    def data_folders(self) -> tuple[bytes, ...]:
        return tuple(each.data for each in self.folders if each.properties is None)


class CarriedProperties(NamedTuple):
    """The MQRFH2s of a message, and the properties in them: set through a handle, and all."""

    at: RulesHeaders
    headers: tuple[Header, ...]
    set_by_handle: Properties
    properties: Properties

    @property
    def is_compatible(self) -> bool:
        """Whether PROPCTL(COMPAT) returns the properties."""
        return any(each.folder in property_names.COMPATIBLE_FOLDERS for each in self.properties)

    @property
    def uncounted(self) -> int:
        """The bytes that do not count for MAXMSGL: property folders, and headers that hold
        nothing else.
        """
        return sum(map(_uncounted, self.headers))

    @property
    def data_format(self) -> str | None:
        """The Format that the program gave, if the queue manager put a header of its own before
        the data; else None.
        """
        first = self.headers[0] if self.headers else None
        if first is None or not first.is_marked or self.at.before is not None:
            return None
        return first.parsed.describes.format


def _uncounted(header: Header) -> int:
    if not header.data_folders and header.folders:
        return len(header.parsed.raw)
    return sum(4 + len(each.data) for each in header.folders if each.properties is not None)


def may_carry(format: str) -> bool:
    """Whether data of this Format may begin with an MQRFH2."""
    return format in HOLDERS


def read(descriptor: MessageDescriptor, data: bytes) -> CarriedProperties | None:
    """The properties in message data; None where there is no MQRFH2, or an invalid one, which is
    data.
    """
    return carried(descriptor.format, data, descriptor.encoding, descriptor.coded_char_set_id)


def carried(format: str, data: bytes, encoding: int, ccsid: int) -> CarriedProperties | None:
    """`read` for data that has this description in the MQMD."""
    if format not in HOLDERS:
        return None
    try:
        at = locate(format, data, encoding, ccsid)
    except layout.HeaderError:
        return None
    if not at.headers:
        return None
    headers = tuple(Header(each, tuple(_folders(each))) for each in at.headers)
    set_by_handle: Properties = {}
    properties: Properties = {}
    for header in headers:
        for each in header.folders:
            if each.properties is not None:
                property_set.add_missing(properties, each.properties)
                if header.is_marked:
                    property_set.add_missing(set_by_handle, each.properties)
    return CarriedProperties(at, headers, set_by_handle, properties)


# Messages of one program often have the same folders.
_LONGEST_REMEMBERED = 2048


def _folders(parsed: FoundHeader) -> Iterable[FolderBytes]:
    for data in parsed.header.folders:
        read = _remembered if len(data) <= _LONGEST_REMEMBERED else _folder
        yield read(data, parsed.header.name_value_ccsid, parsed.described.encoding)


def _folder(data: bytes, ccsid: int, encoding: int) -> FolderBytes:
    text = mqrfh2.text_of(data, ccsid, encoding)
    try:
        head = None if text is None else mqrfh2_folders.head_of(text)
        if text is None or head is None or not property_set.is_property_folder(*head):
            return FolderBytes(data, None)
        return FolderBytes(data, tuple(property_set.of_folder(mqrfh2_folders.parse(text))))
    except mqrfh2_folders.FolderError:
        # A put of it by a program is refused, but a channel may deliver it.
        return FolderBytes(data, None)


_remembered = lru_cache(maxsize=512)(_folder)


def fault(descriptor: MessageDescriptor, data: bytes) -> int:
    """Why a program cannot put data with Format MQHRF2, or 0: 2334 header, 2421 folder, 2527
    folder mq.
    """
    try:
        at = locate(descriptor.format, data, descriptor.encoding, descriptor.coded_char_set_id)
    except layout.HeaderError:
        return RFH_ERROR
    for found in at.headers:
        for folder in found.header.folders:
            reason = _folder_fault(
                mqrfh2.text_of(folder, found.header.name_value_ccsid, found.described.encoding),
            )
            if reason:
                return reason
    return 0


def _folder_fault(text: str | None) -> int:
    if text is None:
        return RFH_FORMAT_ERROR
    try:
        head = mqrfh2_folders.head_of(text)
        if head is None or not property_set.is_property_folder(*head):
            return 0
        return (
            RFH_RESTRICTED_FORMAT if property_set.is_restricted(mqrfh2_folders.parse(text)) else 0
        )
    except mqrfh2_folders.FolderError:
        return RFH_FORMAT_ERROR


def counted(carried: CarriedProperties | None, length: int) -> int:
    """The length of a message as MAXMSGL counts it."""
    return length if carried is None else length - carried.uncounted


def properties_length(carried: CarriedProperties) -> int:
    """The length that MAXPROPL limits."""
    return property_set.length_of(carried.properties.values())


def with_properties(
    descriptor: MessageDescriptor,
    data: bytes,
    properties: Iterable[Property],
    ccsid: int,
) -> DescribedData:
    """The message as it is stored with properties that were set through a handle, in place of
    earlier such ones.
    """
    descriptor, data = without_marked(descriptor, data)
    folders = tuple(map(mqrfh2.folder_of, to_folders(properties)))
    if not folders:
        return descriptor, data
    try:
        at = locate(descriptor.format, data, descriptor.encoding, descriptor.coded_char_set_id)
    except layout.HeaderError:
        # A put of it by a program is refused, but a channel may deliver it: it stays as it is,
        # after the new header.
        at = locate("", data, descriptor.encoding, descriptor.coded_char_set_id)
        at = at._replace(described=at.described._replace(format=descriptor.format))
    follows = at.described
    header = mqrfh2.RulesHeader(
        follows.encoding,
        follows.ccsid,
        follows.format,
        folders,
        flags=MARK,
    )
    described = FollowingData(layout.NATIVE, layout.writable(ccsid), mqrfh2.FORMAT)
    raw = mqrfh2.pack(header, described.encoding, described.ccsid)
    return replaced(descriptor, data, at, (raw, *(each.raw for each in at.headers)), described)


def without_marked(descriptor: MessageDescriptor, data: bytes) -> DescribedData:
    """The message as its program put it, without what was set through a handle (PROPCTL
    V6COMPAT).
    """
    carried_properties = read(descriptor, data)
    if carried_properties is None or not any(each.is_marked for each in carried_properties.headers):
        return descriptor, data
    return _rewritten(
        descriptor,
        data,
        carried_properties.at,
        [None if each.is_marked else each.parsed for each in carried_properties.headers],
    )


def without_properties(
    descriptor: MessageDescriptor,
    data: bytes,
    carried: CarriedProperties,
) -> DescribedData:
    """The message without property folders, and without headers that held nothing else."""
    return _rewritten(descriptor, data, carried.at, [_data_only(each) for each in carried.headers])


def describing_data(descriptor: MessageDescriptor, carried: CarriedProperties) -> MessageDescriptor:
    """The MQMD with what the last MQRFH2 says about the data behind it, unless another header is
    first.
    """
    if carried.at.before is not None:
        return descriptor
    changed = descriptor.copy()
    changed.encoding, changed.coded_char_set_id, changed.format = carried.at.headers[-1].describes
    return changed


def in_rules_header(
    descriptor: MessageDescriptor,
    data: bytes,
    carried: CarriedProperties,
) -> DescribedData:
    """The message as a program sees it with all properties in an MQRFH2."""
    first, *others = carried.headers
    if not first.is_marked:
        return descriptor, data
    plain = replace(first.parsed.header, flags=0)
    if not others:
        return _rewritten(
            descriptor,
            data,
            carried.at,
            [first.parsed._replace(header=plain, raw=b"")],
        )
    second = others[0].parsed
    properties = dict(carried.set_by_handle)
    for each in others[0].folders:
        property_set.add_missing(properties, each.properties or ())
    described = first.parsed.described
    ccsid = second.header.name_value_ccsid
    written = (
        mqrfh2.folder_of(text, ccsid, described.encoding)
        for text in to_folders(properties.values())
    )
    kept = (_reordered(each, second, described) for each in others[0].data_folders)
    own = replace(second.header, folders=(*written, *kept))
    merged = FoundHeader(own, b"", described)
    return _rewritten(
        descriptor,
        data,
        carried.at,
        [None, merged, *(each.parsed for each in others[1:])],
    )


def _reordered(folder: bytes, parsed: FoundHeader, described: FollowingData) -> bytes:
    """A folder in UTF-16 follows the byte order of the integers of its header."""
    ccsid = parsed.header.name_value_ccsid
    text = mqrfh2.text_of(folder, ccsid, parsed.described.encoding)
    return folder if text is None else mqrfh2.folder_of(text, ccsid, described.encoding)


def _data_only(header: Header) -> FoundHeader | None:
    """The header with its data folders; None when nothing is left of it."""
    if all(each.properties is None for each in header.folders):
        return None if header.is_marked else header.parsed
    kept = header.data_folders
    if not kept:
        return None
    return header.parsed._replace(header=replace(header.parsed.header, folders=kept), raw=b"")


def _rewritten(
    descriptor: MessageDescriptor,
    data: bytes,
    at: RulesHeaders,
    headers: list[FoundHeader | None],
) -> DescribedData:
    """The message with these headers in place of its own: None removes one, blank bytes stand
    for a changed one.
    """
    kept = [each for each in headers if each is not None]
    described = at.headers[-1].describes
    raws: list[bytes] = []
    for parsed in reversed(kept):
        header, raw = parsed.header, parsed.raw
        if parsed.describes != described:
            encoding, ccsid, format = described
            header = replace(header, encoding=encoding, coded_char_set_id=ccsid, format=format)
            raw = b""
        raws.insert(
            0, raw or mqrfh2.pack(header, parsed.described.encoding, parsed.described.ccsid)
        )
        described = parsed.described
    return replaced(descriptor, data, at, raws, described)
