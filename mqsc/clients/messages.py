"""The calls of the MQI on messages: MQPUT, MQPUT1 and MQGET."""

from copy import copy
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from mqsc.clients.ignored_handles import explain_ignored_handle
from mqsc.clients.message_descriptors import MQMD, read_descriptor, write_descriptor
from mqsc.clients.object_calls import object_string, refuse_records, selection_string
from mqsc.clients.process import LinkedConnection
from mqsc.clients.structures import MQGMO, MQOD, MQPMO
from mqsc.clients.unknown_queues import explaining_unknown_queue
from mqsc.store.client.message_handle import MessageHandle
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQGMO as GetOption, MQMF, MQMO, MQPMO as PutOption, MQRC
from mqsc.store.descriptor import NATIVE, NO_ID, MessageDescriptor
from mqsc.store.error import MQError, refuse_if
from mqsc.store.headers import mqmde
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions

# Programs often pass the same structures again: this many are kept in their parsed form.
_REMEMBERED = 256
_READ_MQPMO = MQPMO.reader(
    "options",
    "context",
    "records_present",
    "original_msg_handle",
    "new_msg_handle",
    "action",
    "pub_level",
)
_READ_MQGMO = MQGMO.reader("options", "wait_interval", "match_options", "msg_handle")
_WRITE_MQPMO = MQPMO.writer(
    "known_dest_count",
    "unknown_dest_count",
    "invalid_dest_count",
    "resolved_q_name",
    "resolved_q_mgr_name",
)
_WRITE_MQGMO = MQGMO.writer(
    "resolved_q_name",
    "group_status",
    "segment_status",
    "segmentation",
    "returned_length",
)
# The fields of the MQMD that a get reads.
_IDENTITY = ("msg_id", "correl_id", "group_id", "msg_seq_number", "offset")
_READ_MQMD = MQMD.reader("encoding", "coded_char_set_id", *_IDENTITY)
_PASS_CONTEXT = int(PutOption.PASS_IDENTITY_CONTEXT | PutOption.PASS_ALL_CONTEXT)
_FROM_HANDLE = int(PutOption.MD_FOR_OUTPUT_ONLY)
# Each get asks for it, and Python 3.11 is slow to find a member of an enumeration.
_NO_MSG_LOCKED = int(MQRC.NO_MSG_LOCKED)
# Without an MQMD any message is selected.
_NOTHING = (NATIVE, 0, NO_ID, NO_ID, NO_ID, 1, 0)
# The MatchOptions of an MQGMO version 1, which has none.
_BY_BOTH = int(MQMO.MATCH_MSG_ID | MQMO.MATCH_CORREL_ID)
_SECOND = 2
# The first version of the MQPMO that has PubLevel.
_WITH_LEVEL = 3
# Options that need GroupStatus and SegmentStatus, and match options on fields of an MQMD version 2.
_NEEDS_GMO_2 = int(GetOption.LOGICAL_ORDER | GetOption.COMPLETE_MSG | GetOption.ALL_MSGS_AVAILABLE)
_NEEDS_MD_2 = int(MQMO.MATCH_GROUP_ID | MQMO.MATCH_MSG_SEQ_NUMBER | MQMO.MATCH_OFFSET)
# The characters of MQGS_, MQSS_ and MQSEG_ by flag of the message.
_GROUP = ((int(MQMF.LAST_MSG_IN_GROUP), b"L"), (int(MQMF.MSG_IN_GROUP), b"G"))
_SEGMENT = ((int(MQMF.LAST_SEGMENT), b"L"), (int(MQMF.SEGMENT), b"S"))
_SEGMENTATION = ((int(MQMF.SEGMENTATION_ALLOWED), b"A"),)


def put(
    linked: LinkedConnection,
    number: int,
    descriptor: bytes | None,
    options: bytes,
    body: bytes,
) -> tuple[bytes | None, bytes, int, int]:
    """MQPUT: MQMD and MQPMO as the call leaves them."""
    handle = linked.object(number)
    wanted = _put_options(linked, options, descriptor)
    version, message = _message(descriptor, body)
    placed = handle.put(message, wanted)
    return _placed(linked, descriptor, options, version, message, placed)


def put1(
    linked: LinkedConnection,
    object_descriptor: bytes,
    descriptor: bytes | None,
    options: bytes,
    body: bytes,
) -> tuple[bytes, bytes | None, bytes, int, int]:
    """MQPUT1: MQOD, MQMD and MQPMO as the call leaves them."""
    fields = MQOD.read(object_descriptor)
    refuse_records(fields["records_present"])
    refuse_if(selection_string(fields, object_descriptor), MQRC.SELECTOR_INVALID_FOR_TYPE)
    wanted = _put_options(linked, options, descriptor)
    version, message = _message(descriptor, body)
    with explaining_unknown_queue(linked, fields["object_type"], fields["object_name"]):
        placed = linked.connection.put1(
            fields["object_name"],
            message,
            wanted,
            queue_manager=fields["object_q_mgr_name"],
            alternate_user=fields["alternate_user_id"],
            object_type=fields["object_type"],
            object_string=object_string(fields, object_descriptor),
        )
    filled = MQOD.write(
        object_descriptor,
        resolved_q_name=placed.resolved_q_name,
        resolved_q_mgr_name=placed.resolved_q_mgr_name,
        resolved_type=fields["object_type"],
    )
    return (filled, *_placed(linked, descriptor, options, version, message, placed))


def _message(descriptor: bytes | None, body: bytes) -> tuple[int, Message]:
    """The version of the MQMD, and the message; an MQMD version 1 may be extended by an MQMDE in
    the data.
    """
    if descriptor is None:
        return _SECOND, Message(body)
    version, placed = read_descriptor(descriptor)
    if version < _SECOND:
        placed, body = mqmde.merge_extension(placed, body)
    return version, Message(body, placed)


class _PutRequest(NamedTuple):
    """The content of an MQPMO: the options, which no call changes, and handles by their numbers."""

    options: PutMessageOptions
    context: int
    original: int
    new: int


def _put_options(
    linked: LinkedConnection,
    structure: bytes,
    descriptor: bytes | None,
) -> PutMessageOptions:
    request = _read_put_options(MQPMO.checked(structure))
    options = request.options
    original = linked.messages.get(request.original)
    new = linked.messages.get(request.new)
    if descriptor is not None and new is None and _adds_nothing(linked, original, options):
        original = None
    passes_context = options.options & _PASS_CONTEXT
    if original is new is None and descriptor is not None and not passes_context:
        return options
    options = replace(options, message_handle=new, original_handle=original)
    if descriptor is None:
        # Only a message handle replaces an MQMD.
        refuse_if(original is new is None, MQRC.MD_ERROR)
        options.options |= _FROM_HANDLE
    if passes_context:
        # The put refuses a number that is not a handle, unless it fails for another reason first.
        options.context = linked.objects.get(request.context)
    return options


@lru_cache(_REMEMBERED)
def _read_put_options(structure: bytes) -> _PutRequest:
    flags, context, records, original, new, action, level = _READ_MQPMO(structure)
    refuse_records(records)
    options = PutMessageOptions(flags, action=action)
    if MQPMO.version(structure) >= _WITH_LEVEL:
        options.publication_level = level
    return _PutRequest(options, context, original, new)


def _adds_nothing(
    linked: LinkedConnection,
    original: MessageHandle | None,
    options: PutMessageOptions,
) -> bool:
    """Whether the original message handle has no properties; a put without it is twice as fast.

    Where OpenTelemetry is installed, the package ibmmq names one in each put, in case of a trace.
    """
    if original is None or options.action or options.options & _FROM_HANDLE:
        return False
    return original.connection is linked.connection and not original.properties


def _placed(
    linked: LinkedConnection,
    descriptor: bytes | None,
    options: bytes,
    version: int,
    message: Message,
    placed: MessageDescriptor,
) -> tuple[bytes | None, bytes, int, int]:
    is_local = placed.resolved_q_mgr_name in ("", linked.connection.qmgr.name)
    filled = _filled_put_options(
        options,
        is_local,
        placed.resolved_q_name,
        placed.resolved_q_mgr_name,
    )
    codes = int(message.completion), int(message.reason)
    if descriptor is None:
        return None, filled, *codes
    if version < _SECOND and mqmde.needs_extension(placed):
        # The MQMD of the caller describes the MQMDE, not the data behind it.
        _, new_descriptor = read_descriptor(descriptor)
        placed.format, placed.encoding = new_descriptor.format, new_descriptor.encoding
        placed.coded_char_set_id = new_descriptor.coded_char_set_id
    return write_descriptor(descriptor, version, placed), filled, *codes


@lru_cache(_REMEMBERED)
def _filled_put_options(options: bytes, is_local: bool, queue: str, queue_manager: str) -> bytes:
    """The MQPMO with the names of the destination, which are the same for all puts to a queue."""
    return _WRITE_MQPMO(options, is_local, not is_local, 0, queue, queue_manager)


def get(
    linked: LinkedConnection,
    number: int,
    descriptor: bytes | None,
    options: bytes,
    length: int,
) -> tuple[bytes, bytes | None, bytes, int, int, int]:
    """MQGET: the data, at most `length` bytes of it, MQMD and MQGMO as the call leaves them, and
    DataLength.
    """
    handle = linked.object(number)
    version, options_of_get = get_options(linked, descriptor, options, length=length)
    try:
        message = handle.get(options_of_get)
    except MQError as error:
        explain_ignored_handle(linked, options, error)
        raise
    if message.reason == _NO_MSG_LOCKED:
        return b"", descriptor, options, 0, int(message.completion), int(message.reason)
    filled = filled_options(options, handle, message)
    code = int(message.completion), int(message.reason)
    described = (
        None if descriptor is None else write_descriptor(descriptor, version, message.descriptor)
    )
    return message.body, described, filled, message.data_length, *code


def get_options(
    linked: LinkedConnection,
    descriptor: bytes | None,
    options: bytes | None,
    *,
    length: int | None,
) -> tuple[int, GetMessageOptions]:
    """The version of the MQMD, and what MQGMO and MQMD ask for. MQError 2026, 2186, 2256, 2257,
    2460.
    """
    wanted = MQGMO.checked(options)
    identity = None if descriptor is None else MQMD.checked(descriptor)
    version, number, options_of_get = _read_get_options(wanted, identity, length)
    if number or descriptor is None:
        options_of_get = copy(options_of_get)
        options_of_get.message_handle = linked.messages.get(number)
        options_of_get.descriptor_in_handle = descriptor is None
    if descriptor is None:
        refuse_if(options_of_get.message_handle is None, MQRC.MD_ERROR)
    return version, options_of_get


@lru_cache(_REMEMBERED)
def _read_get_options(
    options: bytes,
    descriptor: bytes | None,
    length: int | None,
) -> tuple[int, int, GetMessageOptions]:
    """The version of the MQMD, the number of the message handle, and what is asked for, which no
    call changes.
    """
    flags, wait, match, message_handle = _READ_MQGMO(options)
    version = _SECOND if descriptor is None else MQMD.version(descriptor)
    encoding, ccsid, *identity = _NOTHING if descriptor is None else _READ_MQMD(descriptor)
    if MQGMO.version(options) < _SECOND:
        match = _BY_BOTH
        refuse_if(flags & _NEEDS_GMO_2, MQRC.WRONG_GMO_VERSION)
    refuse_if(
        version < _SECOND and (flags & _NEEDS_GMO_2 or match & _NEEDS_MD_2),
        MQRC.WRONG_MD_VERSION,
    )
    options_of_get = GetMessageOptions(
        flags,
        wait_interval=wait,
        match_options=match,
        buffer_length=length,
        coded_char_set_id=ccsid,
        encoding=encoding,
        descriptor_version=version,
        **dict(zip(_IDENTITY, identity, strict=True)),
    )
    return version, message_handle, options_of_get


def filled_options(options: bytes, handle: ObjectHandle, message: Message) -> bytes:
    """The MQGMO with the fields that a get returns about its message."""
    return _filled_get_options(
        options,
        handle.resolved_q_name,
        message.descriptor.msg_flags,
        len(message.body),
    )


@lru_cache(_REMEMBERED)
def _filled_get_options(options: bytes, queue: str, flags: int, length: int) -> bytes:
    statuses = (_status(flags, rows) for rows in (_GROUP, _SEGMENT, _SEGMENTATION))
    return _WRITE_MQGMO(options, queue, *statuses, length)


def _status(flags: int, rows: tuple[tuple[int, bytes], ...]) -> bytes:
    """The status whose flag is first among the flags of a message; a blank if it has none of
    them.
    """
    return next((status for flag, status in rows if flags & flag), b" ")
