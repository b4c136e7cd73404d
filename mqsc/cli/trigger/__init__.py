"""`mqsc trigger`: triggering explained, and the trigger monitor."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

import click

from mqsc.agents.background_work import (
    ASKED_SECONDS,
    lock_for,
    run_background_work,
    run_command_server,
)
from mqsc.agents.channel_initiator import ChannelService
from mqsc.agents.stopping import until_signalled
from mqsc.agents.trigger_monitor import UNLIMITED, MonitorSettings
from mqsc.channels.driver import StoreWatch
from mqsc.cli.foreground import preview_monitor, run_monitor
from mqsc.console import target
from mqsc.console.object_names import QMGR, ObjectName
from mqsc.console.options import Choices, command, earlier_word
from mqsc.console.parameters import (
    KEEP,
    TIMEOUT,
    UNITS,
    WAIT,
    TextType,
    TimeOfDay,
    archive_errors,
    iso,
)
from mqsc.console.terminal import columns, print_rows, printable
from mqsc.console.text.triggering import explanation_lines, explanation_row, read_hypothetical
from mqsc.language.reply import message_line
from mqsc.store.admin.trigger_explanation import explain as explain_trigger
from mqsc.store.client.api import QueueManager, Store
from mqsc.store.constants import MQRC
from mqsc.store.environment import MICROSECONDS

if TYPE_CHECKING:
    from mqsc.agents.archiver import ArchiveService
