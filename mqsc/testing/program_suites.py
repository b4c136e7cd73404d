"""The store of `pytest --mqsc`: a test suite of a program for IBM's clients runs on it, unmodified.

Everything that is set in the process is taken back at the end.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from mqsc.clients.connection_settings import (
    IGNORE_TLS,
    TLS,
    ClientSettings,
    KnownQueueManager,
    SettingError,
    known_queue_manager,
    words_of,
)
from mqsc.clients.environment import MODULES, program_environment
from mqsc.clients.replaced_extensions import Replacements
from mqsc.language.developer_objects import DEVELOPER_OBJECTS
from mqsc.language.reply import CommandError
from mqsc.script import run
from mqsc.store.client.store import Store, open_store
from mqsc.store.client.store_url import url_of_file
from mqsc.store.environment import QUICK_PASSWORDS
from mqsc.store.error import MQError, UserAccountError
from mqsc.testing.client_programs import end_connections

# The settings of the plugin, in the ini file of the tests.
QUEUE_MANAGERS = "mqsc_qmgrs"
USERS = "mqsc_users"
TLS_SETTING = "mqsc_tls"
SCOPE = "mqsc_scope"
SESSION = "session"
TEST = "test"
SCOPES = (SESSION, TEST)
_DEFAULT = ("QM1",)
_SCRIPT = "script="
_ADMINISTRATOR = "administrator"
# With this message an error of MQSC begins the syntax of the command.
_SYNTAX = "\nAMQ8427I"
_NOT_IN_FILES = re.compile(r"[^A-Za-z0-9_]+")
_LONGEST = 100
_EXTENSIONS = ("ibmmq.ibmmqc", "ibmmqc", "pymqi.pymqe", "pymqe")
_STORE = "mqsc.db"
# The variable that tells pytest where to put temporary folders.
_TEMPORARY = "PYTEST_DEBUG_TEMPROOT"


class SuiteQueueManager(Struct, frozen=True):
    """A queue manager of the suite, and the scripts that are run on it when it is new."""

    known: KnownQueueManager
    scripts: tuple[Path, ...]


class SuiteUser(Struct, frozen=True):
    """A user whose password is checked."""

    name: str
    password: str
    administrator: bool


class SuiteSettings(Struct, frozen=True):
    """What the store of a suite has, and how programs reach it."""

    queue_managers: tuple[SuiteQueueManager, ...]
    users: tuple[SuiteUser, ...]
    tls: str
    scope: str

    @property
    def of_clients(self) -> ClientSettings:
        """The settings for programs; their errors name the ini settings."""
        return ClientSettings(
            tuple(each.known for each in self.queue_managers),
            self.tls,
            list_name=QUEUE_MANAGERS,
            tls_name=f"{TLS_SETTING} = {IGNORE_TLS}",
        )


def suite_settings(
    queue_managers: Sequence[str],
    users: Sequence[str],
    tls: str,
    scope: str,
    folder: Path,
) -> SuiteSettings:
    """The settings in the ini file in `folder`; SettingError says which one is wrong."""
    for name, value, allowed in ((TLS_SETTING, tls, TLS), (SCOPE, scope, SCOPES)):
        if value not in allowed:
            raise SettingError(f"{name} is {' or '.join(allowed)}, not {value}")
    lines = queue_managers or _DEFAULT
    return SuiteSettings(
        tuple(_queue_manager(line, folder) for line in lines),
        tuple(_user(line) for line in users),
        tls,
        scope,
    )


def _queue_manager(line: str, folder: Path) -> SuiteQueueManager:
    """QM1 channel=APP.CHANNEL host=mq.example(1414) script=setup.mqsc."""
    try:
        words = words_of(line)
        scripts = [each.removeprefix(_SCRIPT) for each in words if each.startswith(_SCRIPT)]
        known = known_queue_manager(each for each in words if not each.startswith(_SCRIPT))
    except SettingError as error:
        raise SettingError(f"{QUEUE_MANAGERS}: {error}, and script=FILE") from None
    return SuiteQueueManager(known, tuple(folder / each for each in scripts))


def _user(line: str) -> SuiteUser:
    """NAME PASSWORD, and the word administrator for one."""
    words = words_of(line)
    if len(words) not in (2, 3) or words[2:] not in ([], [_ADMINISTRATOR]):
        raise SettingError(f"{USERS}: write NAME PASSWORD, or NAME PASSWORD {_ADMINISTRATOR}")
    return SuiteUser(words[0], words[1], administrator=len(words) == 3)


class ProgramSuite:
    """The stores of one pytest process, in a folder of its own."""

    def __init__(self, settings: SuiteSettings) -> None:
        """Create the store and let IBM's clients use it. SettingError if a queue manager, a script
        or a user is refused, or if the clients are loaded already.
        """
        self.settings = settings
        self._tests = 0
        self._before: dict[str, str | None] = {}
        self._path_before = [*sys.path]
        _check_extensions()
        # The passwords are in the ini file. A suite that connects for each test would spend most of
        # its time on hashing.
        self._set({QUICK_PASSWORDS: "1"})
        self.folder = Path(tempfile.mkdtemp(prefix="mqsc-", dir=os.environ.get(_TEMPORARY)))
        try:
            self._new = self.folder / "new" / _STORE
            self._new.parent.mkdir()
            with open_store(url_of_file(str(self._new))) as store:
                _fill(store, settings)
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            self._set_back()
            raise
        sys.meta_path.insert(0, Replacements)
        sys.path.insert(0, str(MODULES))
        self._of_session = self._use_copy(SESSION)

    def begin_test(self, name: str) -> Path:
        """Give the next test a store of its own; its file, which has the number of the test and
        its name.
        """
        self._tests += 1
        name_in_files = _NOT_IN_FILES.sub("-", name)[:_LONGEST]
        return self._use_copy(f"{self._tests}-{name_in_files}")

    def end_test(self, path: Path, *, keep: bool) -> None:
        """Disconnect what the test has left connected, and go back to the store of the session."""
        end_connections()
        self._use(self._of_session)
        if not keep:
            shutil.rmtree(path.parent)

    def end(self, kept: Path | None) -> None:
        """End all connections, and set the process back. The stores are moved to the folder
        `kept`, in place of those of an earlier run, or removed.
        """
        end_connections()
        sys.meta_path.remove(Replacements)
        sys.path[:] = [each for each in sys.path if each != str(MODULES)] + [
            each for each in self._path_before if each == str(MODULES)
        ]
        self._set_back()
        shutil.rmtree(self._new.parent)
        if kept is not None:
            shutil.rmtree(kept, ignore_errors=True)
            shutil.move(self.folder, kept)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _use_copy(self, name: str) -> Path:
        """Let programs use a new store, in a folder of that name; its file."""
        path = self.folder / name / _STORE
        path.parent.mkdir()
        shutil.copyfile(self._new, path)
        self._use(path)
        return path

    def _use(self, path: Path) -> None:
        """Let programs that connect from now on use this store."""
        variables = program_environment(
            url_of_file(str(path)),
            self.settings.queue_managers[0].known.name,
            os.environ,
            replace=True,
            settings=self.settings.of_clients,
        )
        # A refusal says on stderr which authority is missing.
        variables["MQSC_EXPLAIN"] = "1"
        self._set(variables)

    def _set(self, variables: Mapping[str, str]) -> None:
        """Set variables of the process until the end of the suite."""
        for name, value in variables.items():
            self._before.setdefault(name, os.environ.get(name))
            os.environ[name] = value

    def _set_back(self) -> None:
        for name, value in self._before.items():
            _set_variable(name, value)


def _check_extensions() -> None:
    """Refuse to go on if IBM's extension is loaded: it does not use the store."""
    for name in _EXTENSIONS:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is not None and Path(file).parent != MODULES:
            raise SettingError(
                f"{file} was loaded before --mqsc could replace it; run the tests with "
                "`mqsc client --replace -- python -m pytest --mqsc`",
            )


def _fill(store: Store, settings: SuiteSettings) -> None:
    for queue_manager in settings.queue_managers:
        name = queue_manager.known.name
        try:
            created = store.create_queue_manager(name)
        except MQError as error:
            raise SettingError(f"{QUEUE_MANAGERS}: {name}: {error}") from error
        for script in (DEVELOPER_OBJECTS, *queue_manager.scripts):
            try:
                run(created, script.read_text("utf-8"), file=str(script), check=True)
            except (OSError, UnicodeDecodeError, CommandError) as error:
                why = str(error).partition(_SYNTAX)[0].rstrip()
                raise SettingError(f"{QUEUE_MANAGERS}: {name}: {why}") from error
    for user in settings.users:
        try:
            store.add_user(user.name, user.password, administrator=user.administrator)
        except UserAccountError as error:
            raise SettingError(f"{USERS}: {user.name}: {error}") from error


def _set_variable(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value
