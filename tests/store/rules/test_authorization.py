"""Profiles of authority records, which record counts, and what an open asks for, against a naive
model.
"""

import os
import re
from random import Random

from mqsc.store.rules import opening
from mqsc.store.rules.authority import authorities
from mqsc.store.rules.authority_profiles import (
    CLASS,
    is_generic_profile,
    profile_fault,
    profile_fits,
    profile_order,
)
from mqsc.store.rules.authorization import Grant, Identity, authority_of
from mqsc.store.rules.wanted_authorities import authorities_to_open
from tests.rows import rows
from tests.store.tables import giving, verdicts

# Of the model, which takes a tenth of a millisecond for each.
QUESTIONS = int(os.environ.get("MQSC_AUTHORITY_QUESTIONS", "2000"))

test_profiles = verdicts(
    profile_fits,
    *giving(
        True,
        ("**", "A.B.C"),
        ("A.**", "A.B.C"),
        ("A.**", "A"),
        ("A.*", "A.B"),
        ("A.?", "A.B"),
        ("A", "A"),
    ),
    # Z17, and Z18 with defect D1.
    *giving(
        True,
        ("ABC.*.JKL", "ABC.DEF.JKL"),
        ("ABC.DE*.JKL", "ABC.DE.JKL"),
        ("ABC.DE*.JKL", "ABC.DEGH.JKL"),
    ),
    *giving(False, ("ABC.*.JKL", "ABC.JKL"), ("ABC.DE*.JKL", "ABC.DE.F.JKL")),
    *giving(True, ("**.ABC", "ABC"), ("**.ABC", "X.ABC"), ("**.ABC", "X.Y.ABC"), ("A.**.B", "A.B")),
    *giving(True, ("A.**.B", "A.X.B"), ("A.**.B", "A.X.Y.B"), ("A.**.C", "A.X.Y.C")),
    # Z20; D3: a question mark is any one character.
    *giving(True, ("*", "AB"), ("A?B", "A.B"), ("A.?.C", "A...C")),
    *giving(
        False,
        ("*", "A.B"),
        ("A.**", "AB"),
        ("A.*", "A.B.C"),
        ("A.?", "A.BC"),
        ("A", "A.B"),
        ("**", CLASS),
    ),
    *giving(True, (CLASS, CLASS), ("*A" * 23, "A" * 46)),
    *giving(False, ("*A" * 23 + "B", "A" * 47)),
)

# Z19, D2.
test_where_two_asterisks_may_be = verdicts(
    lambda profile: bool(profile_fault(profile)),
    *giving(True, ("AB**",), ("A.**.B.**",), ("***",), ("A.**B",)),
    *giving(False, ("**",), ("A.**",), ("**.A",), ("A.**.B",), ("A*.B?",), (CLASS,)),
)


@rows(
    ["AB.C*", "AB.*"],
    ["AB.*", "AB.**"],
    ["AB.?D", "AB.*"],
    ["A.*.C", "A.**"],
    ["ABC", "ABC*"],
    ["A.B.C", "A.B.*", "A.**", "**"],
    ["A.**.B", "A.**"],
)
def test_the_most_specific_profile_comes_first(ordered: list[str]) -> None:
    """D4: every pair of profiles that cover the same name has an order."""
    assert min(ordered[::-1], key=profile_order) == ordered[0]
    assert max(ordered, key=profile_order) == ordered[-1]


def granted(*records: tuple[str, str, str], name: str) -> str:
    """What app of the group apps has of the records (entity, profile, words), a group in
    capitals.
    """
    grants = [
        Grant(
            profile,
            "QUEUE",
            ("GROUP" if entity.isupper() else "PRINCIPAL", entity),
            frozenset(words.split()),
        )
        for entity, profile, words in records
    ]
    return " ".join(
        sorted(authority_of(grants, Identity("app", ("APPS", "NOBODY")), "QUEUE", name)),
    )


@rows(
    ("Z16", [("app", "AB.*", "PUT"), ("app", "AB.C*", "GET")], "AB.CD", "GET"),
    ("Z21", [("app", "AB.*", "GET"), ("app", "AB.**", "PUT")], "AB.C", "GET"),
    ("Z22", [("app", "AB.?D", "GET"), ("app", "AB.*", "PUT")], "AB.CD", "GET"),
    ("Z23", [("app", "Q", "PUT"), ("APPS", "Q", "GET")], "Q", "GET PUT"),
    ("Z24", [("app", "Q", ""), ("APPS", "Q", "PUT")], "Q", "PUT"),
    ("Z25", [("app", "Q", ""), ("app", "**", "PUT")], "Q", ""),
    ("Z26", [("app", "Q", "PUT"), ("app", "**", "")], "Q", "PUT"),
    ("ZP7", [("NOBODY", "Q", "PUT"), ("APP", "Q", "GET")], "Q", "PUT"),
    ("ZP11", [("apps", "Q", "PUT")], "Q", ""),
)
def test_which_records_count(
    id: str,
    records: list[tuple[str, str, str]],
    name: str,
    has: str,
) -> None:
    assert granted(*records, name=name) == has, id


def test_an_administrator_has_every_authority() -> None:
    grants = [Grant("Q", "QUEUE", ("PRINCIPAL", "adm"), frozenset())]
    assert authority_of(
        grants,
        Identity("adm", is_administrator=True),
        "QUEUE",
        "Q",
    ) == authorities("QUEUE")


@rows(
    (opening.INPUT_SHARED | opening.OUTPUT, {}, "GET PUT"),
    (opening.BROWSE | opening.INQUIRE | opening.SET, {}, "BROWSE INQ SET"),
    (opening.OUTPUT | opening.PASS_ALL_CONTEXT, {}, "PUT PASSALL"),
    (opening.OUTPUT | opening.PASS_IDENTITY_CONTEXT, {}, "PUT PASSID"),
    (opening.OUTPUT | opening.SET_IDENTITY_CONTEXT, {}, "PUT SETID SETID@self"),
    (opening.OUTPUT | opening.SET_ALL_CONTEXT, {}, "PUT SETALL SETALL@self"),
    (opening.OUTPUT, {"is_transmission": True}, "SETALL SETALL@self"),
    (opening.INPUT_SHARED, {"is_transmission": True}, "GET"),
    (opening.INPUT_SHARED, {"is_model": True}, "GET DSP"),
    (opening.OUTPUT | opening.ALTERNATE_USER_AUTHORITY, {}, "PUT ALTUSR@self"),
    (opening.INPUT_SHARED | opening.SAVE_ALL_CONTEXT | opening.FAIL_IF_QUIESCING, {}, "GET"),
)
def test_what_an_open_asks_for(options: int, how: dict[str, bool], asked: str) -> None:
    """Authority §4.2; context and the model are asked of the user of the connection, the rest of
    the alternate one.
    """
    wanted = authorities_to_open("QUEUE", "Q", options, **how)
    assert (
        " ".join(each.word + ("@self" if each.type == "QMGR" else "") for each in wanted) == asked
    )
    assert {each.word for each in wanted if each.of_alternate} <= {
        "GET",
        "PUT",
        "BROWSE",
        "INQ",
        "SET",
    }


# The model: a profile is tried letter by letter, and specificity is compared two profiles at a
# time.


def covered(tokens: list[str], name: str) -> bool:
    if not tokens or tokens == ["**"]:
        return bool(tokens) or not name
    first, rest = tokens[0], tokens[1:]
    after_dots = [name[at + 1 :] for at, character in enumerate(name) if character == "."]
    if first == "." and rest[:1] == ["**"]:
        starts = not name or name[0] == "."
        return (
            starts
            if len(rest) == 1
            else name[:1] == "." and any(covered(rest[2:], each) for each in after_dots)
        )
    if first == "**":
        return any(covered(rest[1:], each) for each in [name, *after_dots])
    if first == "*":
        inside = len(name.partition(".")[0])
        return any(covered(rest, name[at:]) for at in range(inside + 1))
    return bool(name) and first in ("?", name[0]) and covered(rest, name[1:])


def tokens_of(profile: str) -> list[str]:
    return [each for each in re.split(r"(\*\*|.)", profile) if each]


def more_specific(one: str, other: str) -> bool:
    order = {"?": 1, "*": 2, "**": 3}
    first, second = tokens_of(one), tokens_of(other)
    for at in range(max(len(first), len(second))):
        ranks = [order.get(each[at], 0) if at < len(each) else 0 for each in (first, second)]
        if ranks[0] != ranks[1]:
            return ranks[0] < ranks[1]
    return len(one) > len(other)


def has(grants: list[Grant], identity: Identity, name: str) -> set[str]:
    words: set[str] = set()
    for entity in [("PRINCIPAL", identity.user), *(("GROUP", group) for group in identity.groups)]:
        best = None
        for grant in grants:
            fits = grant.profile == name or (
                is_generic_profile(grant.profile) and covered(tokens_of(grant.profile), name)
            )
            if (
                grant.entity == entity
                and fits
                and (best is None or more_specific(grant.profile, best.profile))
            ):
                best = grant
        words |= set() if best is None else best.words
    return words


def random_profile(random: Random) -> str:
    qualifiers = [
        "".join(random.choices("ABA?*", k=random.randint(1, 3)))
        for _ in range(random.randint(1, 3))
    ]
    if random.random() < 0.4:
        qualifiers[random.randrange(len(qualifiers))] = "**"
    profile = ".".join(qualifiers)
    return "A.B" if profile_fault(profile) else profile


def test_random_questions_are_answered_as_the_model_does() -> None:
    random = Random(36)
    entities = [
        ("PRINCIPAL", "app"),
        ("PRINCIPAL", "web"),
        ("GROUP", "app"),
        ("GROUP", "apps"),
        ("GROUP", "nobody"),
    ]
    answers = set()
    for _ in range(QUESTIONS):
        profiles = {
            (random_profile(random), random.choice(entities)) for _ in range(random.randint(0, 8))
        }
        words = [
            frozenset(random.sample(["PUT", "GET", "INQ"], k=random.randint(0, 2)))
            for _ in profiles
        ]
        grants = [
            Grant(profile, "QUEUE", entity, w)
            for (profile, entity), w in zip(profiles, words, strict=True)
        ]
        identity = Identity(
            random.choice(["app", "web", "other"]),
            ("nobody", *random.sample(["app", "apps"], k=1)),
        )
        name = ".".join(
            "".join(random.choices("AB", k=random.randint(1, 3)))
            for _ in range(random.randint(1, 3))
        )
        expected = has(grants, identity, name)
        assert authority_of(grants, identity, "QUEUE", name) == expected, (grants, identity, name)
        answers.add(frozenset(expected))
    assert len(answers) == 8
