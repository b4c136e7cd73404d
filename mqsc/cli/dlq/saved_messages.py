"""A file that messages are saved in: a JSON object a line, which `mqsc put --json` and `mqsc dlq
test` read.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mqsc.console.inputs import InputError, is_store_file
from mqsc.console.target import CommandFailedError
from mqsc.console.terminal import json_text
from mqsc.console.text.messages import message_as_json
from mqsc.store.message import Message

OWNER_ONLY = 0o600


@contextmanager
def message_saver(path: str, store_path: str | None) -> Iterator[Callable[[Message], None]]:
    """A function that appends a message to the file; the message is on disk when it returns.

    A new file is readable only by its owner. InputError when the file cannot be opened,
    CommandFailedError when a message cannot be saved.
    """
    if store_path is not None and is_store_file(path, store_path):
        raise InputError(f"{path} is the store itself")
    try:
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, OWNER_ONLY)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    with open(number, "ab", buffering=0) as stream:

        def save(message: Message) -> None:
            line = json_text(message_as_json(message)).encode() + b"\n"
            try:
                while line:
                    line = line[stream.write(line) :]
                os.fsync(stream.fileno())
            except OSError as error:
                reason = f"{path} cannot be written: {error.strerror}"
                raise CommandFailedError(f"{reason}; the message was not discarded") from error

        yield save
