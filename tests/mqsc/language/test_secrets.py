"""The list of secrets, and what other programs wrote without them."""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.language.foreign_secrets import is_secret_name, without_secrets
from mqsc.language.secrets import HIDDEN
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.pcf import pcf_attributes
from mqsc.store.constants import name_of
from tests.rows import rows

SECRET = "geh31m"
SECRETS = [
    (keyword, word)
    for keyword, kind in KINDS.items()
    for word, row in kind.attributes.items()
    if row.secret
]


def spellings(keyword: str, word: str) -> list[str]:
    """The keyword and the names of its parameter: as a constant, and as amqsevt writes it in
    JSON and in text.
    """
    row = pcf_attributes(keyword).get(word)
    if row is None:
        return [word]
    names = (name_of(family, row.number) for family in ("MQCA", "MQCACH"))
    constant = next(each for each in names if "_" in each)
    first, *others = (each.capitalize() for each in constant.split("_")[1:])
    return [word, constant, first.lower() + "".join(others), " ".join((first, *others))]


@pytest.mark.parametrize(("keyword", "word"), SECRETS)
def test_every_secret_attribute_is_known_by_all_its_names(keyword: str, word: str) -> None:
    for name in spellings(keyword, word):
        assert is_secret_name(name)
        assert without_secrets({"of": [{name: SECRET, "x": "y"}]}) == {
            "of": [{name: HIDDEN, "x": "y"}],
        }
        for text in (
            f"{name}({SECRET};x)",
            f"{name}('{SECRET}')",
            f"{name} : {SECRET}",
            f'"{name}": "{SECRET}"',
            f"{name}[{SECRET}]",
            f"<{name}>{SECRET}</{name}>",
        ):
            assert SECRET not in without_secrets(f"before {text} after")
            assert without_secrets(f"before {text} after")[:7] == "before "


def test_a_value_beside_the_name_of_a_secret() -> None:
    found = without_secrets([{"name": "MQCACH_PASSWORD", "value": SECRET, "type": "string"}])
    assert found == [{"name": "MQCACH_PASSWORD", "value": HIDDEN, "type": "string"}]
    assert without_secrets({"name": "Q1", "value": SECRET}) == {"name": "Q1", "value": SECRET}


@rows(
    ("MQCA_LDAP_PASSWORD geh31m, MQCA_Q_NAME Q1", f"MQCA_LDAP_PASSWORD {HIDDEN} MQCA_Q_NAME Q1"),
    ("runmqsc --password geh31m QM1", f"runmqsc --password {HIDDEN} QM1"),
    ("the password of the user", "the password of the user"),
)
def test_a_value_after_a_blank(text: str, expected: str) -> None:
    assert without_secrets(text) == expected


@rows(
    (
        "CryptoHardware=GSK_PKCS11=/usr/lib/x.so;token;geh31m;SYMMETRIC_OFF;",
        f"CryptoHardware={HIDDEN}",
    ),
    ("DESCR(GSK_PKCS11=/usr/lib/x.so;my token;geh31m;X)", f"DESCR({HIDDEN})"),
    ("SSL crypto hardware: GSK;my token;geh31m;", f"SSL crypto hardware: {HIDDEN}"),
    ("SSLCRYP = GSK;token;geh31m; of QM1", f"SSLCRYP = {HIDDEN} of QM1"),
    ("keyRepositoryPassword(geh31m)", f"keyRepositoryPassword({HIDDEN})"),
    ("The password is wrong.", "The password is wrong."),
    ("accountingToken: 1A", "accountingToken: 1A"),
    ("SSLKEYR(/var/mqm/ssl/key)", "SSLKEYR(/var/mqm/ssl/key)"),
    (7, 7),
    (None, None),
)
def test_texts_of_other_programs(text: Any, expected: Any) -> None:
    assert without_secrets(text) == expected


@rows(
    ("sslKeyRepository", False),
    ("accountingToken", False),
    ("channelName", False),
    ("Key Repository Password", True),
)
def test_names(name: str, expected: bool) -> None:
    assert is_secret_name(name) is expected
