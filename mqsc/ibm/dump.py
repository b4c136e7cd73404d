"""A message in the layout of amqsbcg: every field of the descriptor, and the data in hexadecimal."""

from __future__ import annotations

from collections.abc import Iterator

from store import Message, MessageDescriptor

_WIDTH = 16


def dump_lines(message: Message) -> Iterator[str]:
    """The lines for one message."""
    yield "****Message descriptor****"
    yield ""
    yield from _descriptor_lines(message.descriptor)
    yield ""
    yield "****   Message      ****"
    yield ""
    yield f" length - {len(message.body)} of {len(message.body)} bytes"
    yield ""
    for at in range(0, len(message.body), _WIDTH):
        piece = message.body[at : at + _WIDTH]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in piece)
        yield f"{at:08X}:  {piece.hex(' ', -2).upper():<{_WIDTH * 2 + _WIDTH // 2 - 1}} '{letters:<{_WIDTH}}'"
    yield ""


def _descriptor_lines(d: MessageDescriptor) -> Iterator[str]:
    yield "  StrucId  : 'MD  '  Version : 2"
    yield f"  Report   : {d.report}  MsgType : {d.msg_type}"
    yield f"  Expiry   : {d.expiry}  Feedback : {d.feedback}"
    yield f"  Encoding : {d.encoding}  CodedCharSetId : {d.coded_char_set_id}"
    yield f"  Format : '{d.format:<8}'"
    yield f"  Priority : {d.priority}  Persistence : {d.persistence}"
    yield f"  MsgId : X'{d.msg_id.hex().upper()}'"
    yield f"  CorrelId : X'{d.correl_id.hex().upper()}'"
    yield f"  BackoutCount : {d.backout_count}"
    yield f"  ReplyToQ       : '{d.reply_to_q:<48}'"
    yield f"  ReplyToQMgr    : '{d.reply_to_q_mgr:<48}'"
    yield "  ** Identity Context"
    yield f"  UserIdentifier : '{d.user_identifier:<12}'"
    yield "  AccountingToken :"
    yield f"   X'{d.accounting_token.hex().upper()}'"
    yield f"  ApplIdentityData : '{d.appl_identity_data:<32}'"
    yield "  ** Origin Context"
    yield f"  PutApplType    : '{d.put_appl_type}'"
    yield f"  PutApplName    : '{d.put_appl_name:<28}'"
    yield f"  PutDate  : '{d.put_date:<8}'    PutTime  : '{d.put_time:<8}'"
    yield f"  ApplOriginData : '{d.appl_origin_data:<4}'"
    yield ""
    yield f"  GroupId : X'{d.group_id.hex().upper()}'"
    yield f"  MsgSeqNumber   : '{d.msg_seq_number}'"
    yield f"  Offset         : '{d.offset}'"
    yield f"  MsgFlags       : '{d.msg_flags}'"
    yield f"  OriginalLength : '{d.original_length}'"
