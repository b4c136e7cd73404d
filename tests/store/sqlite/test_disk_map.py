"""The dictionary on disk holds what an ordinary one holds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from mqsc.store.sqlite.disk_map import DiskMap, Key


class Place(NamedTuple):
    """A value."""

    number: int
    name: str | None


@pytest.fixture
def places() -> Iterator[DiskMap[Place]]:
    found = DiskMap(Place)
    yield found
    found.close()


def test_values(places: DiskMap[Place]) -> None:
    chance = random.Random(0)
    expected: dict[Key, Place] = {}
    for number in range(2_000):
        key = (chance.randrange(50), chance.choice(("A", None)), bytes([chance.randrange(3)]))
        if chance.random() < 0.3:
            assert places.pop(key) == expected.pop(key, None)
        else:
            places[key] = expected[key] = Place(number, chance.choice(("x", None)))
        assert places.get(key) == expected.get(key)
    assert {tuple(key): value for key, value in places.items()} == expected
    places.remove_where(lambda each: each.name is None)
    rest = {key: value for key, value in expected.items() if value.name}
    assert {tuple(key): value for key, value in places.items()} == rest


def test_numbers_are_in_order(places: DiskMap[Place]) -> None:
    numbers = [0, 5, 127, 128, 255, 256, 70_000, 1 << 33]
    for number in reversed(numbers):
        places[(number,)] = Place(number, None)
    assert [key for key, _ in places.items()] == [[number] for number in numbers]


def test_an_empty_one(places: DiskMap[Place]) -> None:
    assert places.get((1,)) is None
    assert places.pop((1,)) is None
    assert (1,) not in places
    assert [*places.items()] == []
