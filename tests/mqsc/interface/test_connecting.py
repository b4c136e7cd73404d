"""Which store and queue manager a program is connected to, and the errors of the interface."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import mqsc
from mqsc.interface import connecting, errors
from mqsc.store.admin.queue_managers import delete_queue_manager


def test_a_store_is_created_only_if_asked(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    with pytest.raises(
        mqsc.StoreError,
        match=r"there is no store at .*new\.db; create=True makes one",
    ):
        mqsc.connect(path)
    mqsc.open_store(path).close()
    with pytest.raises(
        mqsc.NotFound,
        match="the store holds no queue manager; create=True makes one",
    ):
        mqsc.connect(path)
    with pytest.raises(
        ValueError,
        match="'bad name' is not a valid queue manager name: use 1 to 48 letters",
    ):
        mqsc.connect(path, qmgr="bad name", create=True)
    with pytest.raises(TypeError, match="store must be str, not bytes"):
        mqsc.connect(bytes(path))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="url must be str, not bytes"):
        mqsc.open_store(bytes(path))  # type: ignore[arg-type]
    for _ in range(2):
        with mqsc.connect(path, create=True) as session:
            assert session.manager.name == "QM1"
    with mqsc.connect(path, qmgr="QM2", create=True) as session:
        assert session.manager.name == "QM2"
    with pytest.raises(mqsc.NotFound, match="Did you mean QM2") as raised:
        mqsc.connect(path, qmgr="QM3")
    assert raised.value.suggestion == "QM2"
    with mqsc.open_store(path) as store:
        store.queue_manager("QM1").end(immediate=True)
        delete_queue_manager(store, "QM1")
    for create in (False, True):
        with pytest.raises(
            mqsc.NotFound,
            match="there is no default queue manager; name one with qmgr: QM2",
        ):
            mqsc.connect(path, create=create)


def test_the_store_of_the_command_line_is_the_default(
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for named in (str(place), f"sqlite:///{place}"):
        monkeypatch.setenv("MQSC_STORE", named)
        with mqsc.connect() as session, mqsc.open_store(named, create=False) as opened:
            assert session.manager.store.path == opened.path == str(place)


def test_a_store_in_memory_or_of_the_program(place: Path) -> None:
    with mqsc.connect("sqlite://", create=True) as session:
        assert session.manager.store.path is None
    with mqsc.open_store(place) as store:
        with mqsc.connect(store) as session:
            assert session.manager.store is store
        assert store.queue_manager().is_running


def test_sessions_share_the_store_of_their_file(place: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(place)
    first, second = mqsc.connect(place), mqsc.connect(link)
    assert first.manager.store is second.manager.store
    first.close()
    first.close()
    second.queue("SYSTEM.DEFAULT.LOCAL.QUEUE").put("x")
    second.close()
    assert connecting._shared == {}


def test_application_user_and_password(place: Path) -> None:
    with mqsc.connect(place, application="billing", user="alice") as session:
        assert (session.connection.application, session.connection.user) == ("billing", "alice")
        session.run(
            "DEFINE AUTHINFO(CHECKED) AUTHTYPE(IDPWOS) CHCKLOCL(REQUIRED); ALTER QMGR "
            "CONNAUTH(CHECKED)",
        )
        session.run("REFRESH SECURITY TYPE(CONNAUTH)")
        with pytest.raises(mqsc.NotAuthorized, match="2035 MQRC_NOT_AUTHORIZED"):
            mqsc.connect(place, user="alice", password="wrong")
    assert connecting._shared == {}


def test_every_error_is_an_mqerror_that_says_what_the_command_line_says(shop: mqsc.Session) -> None:
    with pytest.raises(mqsc.MQError) as raised:
        shop.queue("ODRERS").put("x")
    error = raised.value
    assert (type(error), error.reason, error.object_name) == (
        mqsc.NotFound,
        mqsc.MQRC.UNKNOWN_OBJECT_NAME,
        "ODRERS",
    )
    assert str(error).startswith("2085 MQRC_UNKNOWN_OBJECT_NAME (ODRERS): ")
    assert str(error).endswith("Did you mean ORDERS?")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    with pytest.raises(mqsc.SelectorError, match="at character"):
        shop.queue("ORDERS").get(where="color =")


def test_a_queue_manager_that_ended(place: Path) -> None:
    session = mqsc.connect(place)
    session.manager.end(immediate=True)
    for call in (lambda: session.queue("ORDERS").put("x"), session.close):
        with pytest.raises(mqsc.NotConnected, match="2009"):
            call()
    with pytest.raises(mqsc.NotConnected, match=r"AMQ8146E: .*QM1"):
        mqsc.connect(place)
    assert connecting._shared == {}


def test_every_class_has_its_reasons_and_its_public_name() -> None:
    classes = {*errors._CLASSES.values(), mqsc.CallFailed, mqsc.NoReply}
    assert {each.__name__ for each in classes} <= {*dir(mqsc)}
    assert {each.__module__ for each in classes} == {"mqsc"}
    assert len(errors._CLASSES) == sum(len(names.split()) for names in errors._REASONS.values())


def test_a_failed_command_is_an_error(shop: mqsc.Session) -> None:
    with pytest.raises(mqsc.CommandError, match="AMQ8147E"):
        shop.run("ALTER QLOCAL(NONE) MAXDEPTH(1)")
