"""Login, tokens and roles (rest §2)."""

from __future__ import annotations

import pytest

from mqsc.http.tokens import LIFE
from mqsc.store.client.store import Store
from mqsc.store.environment import MICROSECONDS, FrozenClock
from tests.mqsc.http.client import (
    ADM,
    APP,
    CSRF,
    PASSWORD,
    RDR,
    V1,
    V2,
    V3,
    Client,
    basic,
    client_of,
)

UNAUTHENTICATED = (401, "MQWB0104E", 0, 0)
BASIC_FAILED = (401, "MQWB0105E", 0, 0)
TOKEN_DEAD = (401, "MQWB0112E", 0, 0)
BAD_REQUEST = (400, "MQWB0106E", 0, 0)


def test_w01_a_login_sets_one_cookie(client: Client) -> None:
    answer = client.log_in()
    (cookie,) = answer.headers.get_all("Set-Cookie", [])
    token, *attributes = cookie.split("; ")
    assert (answer.status, answer.body) == (204, b"")
    assert token.startswith("LtpaToken2=")
    assert len(token) > 40
    assert attributes == ["Path=/", "HttpOnly", "SameSite=Strict"]


@pytest.mark.parametrize(
    "header",
    ["Basic", "Basic é", "Basic bm9jb2xvbg==", "Basic /////w==", basic(ADM, "wrong")],
)
def test_basic_authorization_that_fails_has_an_id_of_its_own(client: Client, header: str) -> None:
    answer = client.send("GET", f"{V2}/admin/qmgr", None, {"Authorization": header})
    assert answer.error == BASIC_FAILED
    assert answer.headers["WWW-Authenticate"] == 'Basic realm="mqsc"'


@pytest.mark.parametrize("user", [ADM, "nobody", "", "a\0b", "é" * 300])
def test_w02_a_wrong_password_or_user_gets_no_cookie(client: Client, user: str) -> None:
    answer = client.log_in(user, "wrong")
    assert answer.error == UNAUTHENTICATED
    assert "Set-Cookie" not in answer.headers


def test_w03_the_roles_of_the_user(client: Client) -> None:
    token = client.token()
    roles = ["MQWebAdmin", "MQWebUser"]
    assert client.with_token(token).json == {"user": [{"name": ADM, "role": roles}]}
    in_v1 = client.with_token(token, path=f"{V1}/login").json["user"][0]
    assert in_v1 == {"name": ADM, "role": roles, "authenticationMechanism": "form"}
    reader = client("GET", f"{V1}/login", user=RDR).json["user"][0]
    assert reader["role"] == ["MQWebAdminRO", "MQWebUser"]
    assert reader["authenticationMechanism"] == "basic"
    assert client("GET", f"{V3}/login", user=APP).json["user"][0]["role"] == ["MQWebUser"]


def test_w04_a_token_is_dead_after_the_logout(client: Client) -> None:
    token = client.token()
    answer = client.with_token(token, "DELETE")
    assert answer.status == 204
    assert "Max-Age=0" in answer.headers["Set-Cookie"]
    assert client.with_token(token, path=f"{V2}/admin/qmgr").error == TOKEN_DEAD


def test_w05_a_changed_token_and_an_old_one_are_dead(client: Client, clock: FrozenClock) -> None:
    token = client.token()
    changed = ("A" if token[0] != "A" else "B") + token[1:]
    assert client.with_token(changed).error == TOKEN_DEAD
    clock.advance(LIFE // MICROSECONDS - 1)
    assert client.with_token(token).status == 200
    clock.advance(1)
    assert client.with_token(token).error == TOKEN_DEAD


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer x"},
        {"Cookie": "other=1; LtpaToken3=2"},
    ],
)
def test_w06_without_credentials(client: Client, headers: dict[str, str]) -> None:
    answer = client.send("GET", f"{V2}/admin/qmgr", None, headers)
    assert answer.error == UNAUTHENTICATED
    assert answer.headers["WWW-Authenticate"] == 'Basic realm="mqsc"'


@pytest.mark.parametrize(
    ("body", "type_", "expected"),
    [
        (b'{"username":5,"password":"x"}', "application/json", BAD_REQUEST),
        (b'{"username":"adm"}', "application/json", BAD_REQUEST),
        (b'{"username":"adm","password":"x","more":1}', "application/json", BAD_REQUEST),
        (b"", "application/json", BAD_REQUEST),
        (b"[]", "application/json", BAD_REQUEST),
        (b'{"username":"adm","password":"secret"}', "text/plain", (415, "MQWB0306E", 0, 0)),
    ],
)
def test_w07_a_login_that_is_none(
    client: Client, body: bytes, type_: str, expected: tuple[object, ...]
) -> None:
    assert client.send("POST", f"{V2}/login", body, {"Content-Type": type_}).error == expected


def test_w75_failed_logins_are_limited(client: Client) -> None:
    failures = [client.log_in(ADM, "wrong") for _ in range(6)]
    assert [each.status for each in failures] == [401] * 5 + [429]
    right = client.log_in()
    assert right.status == 429
    assert 1 <= int(right.headers["Retry-After"]) <= 10
    assert client("GET", f"{V2}/login").status == 429
    assert client.log_in(RDR).status == 204


def test_a_login_does_not_adopt_the_token_of_the_client(client: Client) -> None:
    """Session fixation: a cookie that an attacker has set stays worthless."""
    fixed = "A" * 43
    token = client.token(Cookie=f"LtpaToken2={fixed}")
    assert token != fixed
    assert client.with_token(fixed).error == TOKEN_DEAD
    second = client.token(Cookie=f"LtpaToken2={token}")
    assert client.with_token(token).error == TOKEN_DEAD
    assert client.with_token(second).status == 200


def test_a_changed_password_ends_tokens_and_what_was_remembered(
    client: Client, store: Store, clock: FrozenClock
) -> None:
    token = client.token()
    assert client("GET", f"{V2}/login").status == 200
    clock.advance(1)
    store.change_password(ADM, "another")
    assert client.with_token(token).error == TOKEN_DEAD
    assert client("GET", f"{V2}/login").error == BASIC_FAILED
    assert client.log_in(ADM, "another").status == 204


def test_a_removed_user_is_refused_at_once(client: Client, store: Store) -> None:
    token = client.token(APP)
    assert client("GET", f"{V2}/login", user=APP).status == 200
    store.remove_user(APP)
    assert client.with_token(token).error == TOKEN_DEAD
    assert client("GET", f"{V2}/login", user=APP).error == BASIC_FAILED


def test_authorization_wins_over_a_cookie(client: Client) -> None:
    token = client.token()
    headers = {"Cookie": f"LtpaToken2={token}", "Authorization": basic(ADM, "wrong")}
    assert client.send("GET", f"{V2}/login", None, headers).error == BASIC_FAILED


def test_the_output_has_no_secrets(client: Client, lines: list[str]) -> None:
    token = client.token()
    client.log_in(ADM, "wrong password")
    client.with_token(token, "DELETE")
    client.with_token(token)
    text = "\n".join(lines)
    assert "adm logged in from 127.0.0.1" in text
    assert not any(secret in text for secret in (PASSWORD, "wrong password", token))


def test_without_users_nobody_gets_in(store: Store) -> None:
    for user in store.users():
        store.remove_user(user.name)
    with client_of(store) as client:
        assert client("GET", f"{V2}/admin/qmgr").error == BASIC_FAILED
        assert client.send("GET", "/health/live").status == 200


def test_with_no_auth_everybody_is_an_administrator(store: Store) -> None:
    with client_of(store, open_to_all=True) as client:
        user = client.send("GET", f"{V1}/login").json["user"][0]
        assert user["role"] == ["MQWebAdmin", "MQWebUser"]
        assert user["authenticationMechanism"] == "noSecurity"
        made = client.send(
            "POST",
            f"{V2}/admin/action/qmgr/QM1/mqsc",
            b'{"type":"runCommand","parameters":{"command":"DEFINE QLOCAL(Q2)"}}',
            {"Content-Type": "application/json", CSRF: ""},
        )
        assert made.overall == (0, 0)


@pytest.mark.parametrize(
    "authorization",
    [basic(ADM, "wrong"), basic("nobody"), basic(RDR), "Basic ???", "Bearer of.a.token"],
)
def test_with_no_auth_credentials_are_not_looked_at(store: Store, authorization: str) -> None:
    with client_of(store, open_to_all=True) as client:
        for _ in range(7):
            answer = client.send("GET", f"{V2}/login", headers={"Authorization": authorization})
            assert answer.json["user"][0]["role"] == ["MQWebAdmin", "MQWebUser"]


def test_with_no_auth_every_login_succeeds(store: Store) -> None:
    with client_of(store, open_to_all=True) as client:
        body = b'{"username":"nobody","password":"wrong"}'
        answer = client.send("POST", f"{V2}/login", body, {"Content-Type": "application/json"})
        token = (answer.headers["Set-Cookie"] or "").partition(";")[0]
        assert answer.status == 204
        for method in ("GET", "DELETE", "GET"):
            sent = client.send(method, f"{V2}/login", headers={"Cookie": token, CSRF: ""})
            assert sent.status in {200, 204}
