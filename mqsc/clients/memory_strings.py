"""Strings that structures point to. A pointer of a program may be wrong, so memory is read with
care.
"""

import ctypes
import os
from collections.abc import Mapping
from typing import Any

from mqsc.store.error import MQError, refuse_if

# The file in which Linux shows a process its own memory: reading at a wrong address is an error,
# not a crash.
_MEMORY = "/proc/self/mem"
NUL_ENDED = -1
_PAGE = 4096
_LONGEST = 1 << 20


def variable_string(fields: Mapping[str, Any], name: str, structure: bytes, error: int) -> bytes:
    """The bytes of the string whose pointer, offset and length are fields of `found`; empty if
    there is none.

    The offset counts from the start of the structure. MQError `error` for both pointer and offset,
    a wrong length, and memory that the program does not have.
    """
    pointer, offset, length = (
        fields.get(f"{name}_{part}", 0) for part in ("pointer", "offset", "length")
    )
    if length == 0 or not (pointer or offset):
        return b""
    refuse_if((pointer and offset) or length < NUL_ENDED or length > _LONGEST, error)
    if pointer:
        return _at(pointer, length, error)
    refuse_if(not 0 < offset <= len(structure), error)
    if length == NUL_ENDED:
        return structure[offset:].partition(b"\0")[0]
    refuse_if(offset + length > len(structure), error)
    return structure[offset : offset + length]


def _at(pointer: int, length: int, error: int) -> bytes:
    if not os.path.exists(_MEMORY):
        return ctypes.string_at(pointer, length)
    try:
        memory = os.open(_MEMORY, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        # A process that may not read its own memory in this way.
        return ctypes.string_at(pointer, length)
    try:
        content = (
            _until_nul(memory, pointer)
            if length == NUL_ENDED
            else os.pread(memory, length, pointer)
        )
    except (OSError, OverflowError, ValueError):
        raise MQError(error) from None
    finally:
        os.close(memory)
    refuse_if(length != NUL_ENDED and len(content) < length, error)
    return content


def _until_nul(memory: int, pointer: int) -> bytes:
    """The bytes up to the next NUL, read page by page: the page after it may not exist."""
    content = b""
    while len(content) <= _LONGEST:
        at = pointer + len(content)
        piece, nul, _ = os.pread(memory, _PAGE - at % _PAGE, at).partition(b"\0")
        content += piece
        if nul:
            return content
    raise ValueError("no NUL")


def written(
    fields: Mapping[str, Any], name: str, content: bytes, error: int
) -> dict[str, int | str | bytes]:
    """Write a string that a call returns to the buffer that its pointer and buffer size name, as
    much as fits, and return the fields of the structure that change: the whole length.

    MQError `error` for memory that the program does not have. Nothing is written without a buffer.
    """
    pointer, room = (fields.get(f"{name}_{part}", 0) for part in ("pointer", "buffer_size"))
    if not pointer or room <= 0:
        return {}
    fitting = content[:room]
    try:
        memory = os.open(_MEMORY, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        ctypes.memmove(pointer, fitting, len(fitting))
    else:
        try:
            refuse_if(os.pwrite(memory, fitting, pointer) < len(fitting), error)
        except (OSError, OverflowError, ValueError):
            raise MQError(error) from None
        finally:
            os.close(memory)
    return {f"{name}_length": len(content)}
