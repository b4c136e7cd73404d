"""Units of work in doubt, and the state of channels."""

from __future__ import annotations

from alembic.operations import Operations
from sqlalchemy import Column, Integer, Text, UniqueConstraint


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False, server_default="")


def _number(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, server_default="0")


def upgrade(operations: Operations) -> None:
    operations.create_table(
        "prepared_unit",
        Column("number", Integer, primary_key=True, nullable=False),
        _text("qmgr"),
        _text("name"),
        _text("luwid"),
        _number("prepared_at"),
        _text("application"),
        _text("user"),
        _number("recorded"),
        _text("outcomes"),
        UniqueConstraint("qmgr", "name", "luwid"),
    )
    operations.create_table(
        "channel_status",
        Column("qmgr", Text, primary_key=True, nullable=False),
        Column("channel", Text, primary_key=True, nullable=False),
        Column("partner", Text, primary_key=True, nullable=False),
        _number("status"),
        _text("requested"),
        _text("requested_status"),
        Column("process", Integer),
        Column("retry_at", Integer),
        _text("figures"),
        sqlite_with_rowid=False,
    )
    operations.create_table(
        "channel_fault",
        Column("id", Integer, primary_key=True, nullable=False),
        _text("qmgr"),
        _text("channel"),
        _text("step"),
        _number("number"),
        _text("action"),
        _number("milliseconds"),
        Column("times", Integer),
        Column("until", Integer),
    )
    operations.create_index("channel_fault_of_channel", "channel_fault", ["qmgr", "channel"])
    operations.create_table(
        "channel_host",
        Column("address", Text, primary_key=True, nullable=False),
        _text("target"),
        sqlite_with_rowid=False,
    )
