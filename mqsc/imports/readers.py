"""The reader of each format that is read: the function that imports its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from mqsc.imports.definitions import import_definitions
from mqsc.imports.loading import load_messages
from mqsc.imports.recognition import Imported, ImportFile, ImportOptions
from mqsc.imports.recording import import_events
from mqsc.imports.transcript import transcript

# It gets the name of the format and all its files at once, and says what came of each.
Reader = Callable[[str, Sequence[ImportFile], ImportOptions], Iterable[Imported]]

READERS: Mapping[str, Reader] = {
    "amqsevt-json": import_events,
    "errorlog-json": import_events,
    "amqsevt": import_events,
    "errorlog": import_events,
    "containerlog": import_events,
    "joblog": import_events,
    "pcf": import_events,
    "qload": load_messages,
    "amqsbcg": load_messages,
    "transcript": transcript,
    "zos": import_definitions,
    "dmpmqcfg": import_definitions,
}
