"""The text of errors, and the class of their reason codes."""

from __future__ import annotations

import pickle

import pytest

from mqsc.store.constants import MQCC, MQRC, MQRCCF
from mqsc.store.error import MQError


@pytest.mark.parametrize(
    ("error", "shown", "reason"),
    [
        (MQError(2053, "Q"), "2053 MQRC_Q_FULL (Q)", MQRC.Q_FULL),
        (MQError(MQRC.Q_FULL), "2053 MQRC_Q_FULL", MQRC.Q_FULL),
        (MQError(4001, "Q"), "4001 MQRCCF_OBJECT_ALREADY_EXISTS (Q)", MQRCCF.OBJECT_ALREADY_EXISTS),
    ],
)
def test_an_error_is_shown_by_number_and_name(error: MQError, shown: str, reason: int) -> None:
    assert (str(error), error.reason, type(error.reason)) == (shown, reason, type(reason))
    assert (error.completion, error.index) == (MQCC.FAILED, None)


def test_a_number_without_a_name_stays_a_number() -> None:
    assert (MQError(1).reason, MQError(1).object_name) == (1, "")


def test_an_error_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(MQError(2053, "Q", index=3)))
    assert (error.reason, error.object_name, error.index) == (MQRC.Q_FULL, "Q", 3)
