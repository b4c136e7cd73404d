"""The context of a message: who put it, and where (mqi-semantics §3.2)."""

from __future__ import annotations

from functools import lru_cache

from mqsc.store.constants import MQACTT, MQRC
from mqsc.store.descriptor import NO_TOKEN, TOKEN_LENGTH, MessageDescriptor
from mqsc.store.engine.state import CallContext
from mqsc.store.error import MQError, refuse_if, required
from mqsc.store.mqi.state import HandleState
from mqsc.store.rules import opening, putting

UNIX_APPLICATION, UNIX_NUMERIC_ID = 6, MQACTT.UNIX_NUMERIC_ID
IDENTITY_FIELDS = ("user_identifier", "accounting_token", "appl_identity_data")
ORIGIN_FIELDS = ("put_appl_type", "put_appl_name", "put_date", "put_time", "appl_origin_data")


def in_context(
    handle: HandleState,
    call: CallContext,
    placed: MessageDescriptor,
    option_bits: int,
    source: object,
) -> None:
    """Set the identity and origin context of a message as the put's context option requires.
    MQError 2097 or 2098.
    """
    if option_bits in (0, putting.DEFAULT_CONTEXT):
        _own_identity(handle, call, placed)
        _own_origin(call, placed)
    elif option_bits == putting.NO_CONTEXT:
        placed.user_identifier = ""
        placed.accounting_token = NO_TOKEN
        placed.appl_identity_data = ""
        placed.put_appl_type = 0
        placed.put_appl_name = ""
        placed.appl_origin_data = ""
        placed.put_date, placed.put_time = "", ""
    elif option_bits & putting.PASSED:
        saved = _saved(source, handle)
        for field in IDENTITY_FIELDS:
            setattr(placed, field, getattr(saved, field))
        if option_bits == putting.PASS_ALL_CONTEXT:
            for field in ORIGIN_FIELDS:
                setattr(placed, field, getattr(saved, field))
        else:
            _own_origin(call, placed)
    elif option_bits == putting.SET_IDENTITY_CONTEXT:
        _own_origin(call, placed)


def _own_identity(handle: HandleState, call: CallContext, placed: MessageDescriptor) -> None:
    placed.user_identifier = _fitted(handle.alternate_user or call.user, 12)
    placed.accounting_token = accounting_token(call.environment.user_number)
    placed.appl_identity_data = ""


def _own_origin(call: CallContext, placed: MessageDescriptor) -> None:
    placed.put_appl_type = UNIX_APPLICATION
    placed.put_appl_name = _fitted(call.application, 28)
    placed.put_date = placed.put_time = None  # derived from the time of the put
    placed.appl_origin_data = ""


@lru_cache(maxsize=64)
def accounting_token(user_number: int) -> bytes:
    """The AccountingToken on Unix: the user number in characters, its length before it, its type
    (X'06') at the end.
    """
    digits = str(user_number).encode()
    return (bytes((len(digits),)) + digits).ljust(TOKEN_LENGTH - 1, b"\0") + UNIX_NUMERIC_ID


@lru_cache(maxsize=64)
def _fitted(text: str, length: int) -> str:
    """The part of a text that fits a field of `length` bytes."""
    return text.encode()[:length].decode(errors="ignore")


def _saved(source: object, handle: HandleState) -> MessageDescriptor:
    if (
        not isinstance(source, HandleState)
        or not source.is_open
        or not source.options & opening.SAVE_ALL_CONTEXT
    ):
        raise MQError(MQRC.CONTEXT_HANDLE_ERROR, handle.name)
    refuse_if(source.connection is not handle.connection, MQRC.CONTEXT_HANDLE_ERROR, handle.name)
    return required(source.saved_context, MQRC.CONTEXT_NOT_AVAILABLE, handle.name)
