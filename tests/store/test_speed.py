"""The promised speed of messages, as a ratio to the bare driver making the same transactions in the
same run.

MQSC_CALLS, MQSC_DEPTHS and MQSC_SECONDS make these runs shorter.
"""

from __future__ import annotations

import pytest

from tests.benchmarks import (
    calls_benchmark,
    consumer_benchmark,
    depth_benchmark,
    interface_benchmark,
    processes_benchmark,
)

pytestmark = [pytest.mark.benchmark, pytest.mark.long]

# By persistence, the lowest ratio allowed for each kind of call.
PROMISED = {
    0: {
        "put one per call": 0.6,
        "get one per call": 0.6,
        "list of 1000 gets per call": 0.6,
        "unit of 100 puts": 0.6,
    },
    1: {
        "put one per call": 0.7,
        "get one per call": 0.6,
        "list of 1000 gets per call": 0.6,
        "unit of 100 puts": 0.6,
    },
}


@pytest.mark.parametrize("persistence", PROMISED)
def test_puts_and_gets(persistence: int) -> None:
    ratios = calls_benchmark.compare_calls(persistence)
    assert {
        name: ratio for name, ratio in ratios.items() if ratio < PROMISED[persistence].get(name, 0)
    } == {}


@pytest.mark.parametrize("depth", depth_benchmark.DEPTHS.split(","))
def test_at_every_depth(depth: str) -> None:
    assert min(depth_benchmark.at_depth(int(depth))) >= 0.5


@pytest.mark.parametrize("persistence", [0, 1])
def test_four_processes_are_together_nearly_as_fast_as_one_and_none_waits_long(
    persistence: int,
) -> None:
    throughput, longest = processes_benchmark.together(persistence)
    assert throughput >= 0.65
    assert longest <= 250


def test_a_get_that_waits_in_another_process_wakes_at_once_and_hardly_works() -> None:
    soon, share = processes_benchmark.wake_up()
    assert soon <= 50
    assert share < 0.05


@pytest.mark.parametrize("persistence", [0, 1])
def test_a_consumer_is_nearly_as_fast_as_gets_and_commits(persistence: int) -> None:
    assert min(consumer_benchmark.compare_consumers(persistence).values()) >= 0.8


def test_a_program_for_each_message_starts_nearly_as_fast_as_by_itself() -> None:
    assert consumer_benchmark.added_per_message() < 5


def test_the_python_interface_is_nearly_as_fast_as_the_mqi() -> None:
    assert min(interface_benchmark.compare_interface().values()) >= 0.9


def test_a_thousand_tasks_that_wait_hardly_work() -> None:
    assert interface_benchmark.cost_of_waiting() < 0.05
