"""Where targets are declared: the tables [target.NAME] of the user's settings, and of the file
targets.toml beside the definitions, which a team shares (targets §2).

The user's own target counts more than one of a file with its name, and a file in a folder more than
one in a folder above.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shlex import split
from typing import Any
from urllib.parse import urlsplit

from mqsc.console import config
from mqsc.store.catalog.spelling import hint
from mqsc.store.rules.names import is_object_name
from mqsc.targets.target import Target, TargetError

FILE = "targets.toml"
TABLE = "target"
PROGRAMS = ("dmpmqcfg", "runmqsc", "dmpmqmsg")
_KEYS = (
    "queue_manager",
    "via",
    "rest",
    "cacert",
    "programs",
    "arguments",
    "definitions",
    "credentials",
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_SECRET = re.compile(r"pass|secret|token|api_?key|pwd", re.IGNORECASE)
_REPOSITORY = ".git"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def target_named(name: str, beside: Sequence[str] = ()) -> Target:
    """The target of that name; TargetError if there is none, or its declaration is wrong.

    `beside` are the files and folders with definitions that a command names.
    """
    # Whatever files of others say.
    own = _targets_of(*own_tables())
    if name in own:
        return own[name]
    known = targets(beside)
    if name not in known:
        near = hint(name, [*known], "there are") if known else "`mqsc target add` declares one"
        raise TargetError(f"there is no target {name!r}; {near}")
    return known[name]


def targets(beside: Sequence[str] = ()) -> dict[str, Target]:
    """All targets by name, the user's own first; TargetError for a file in which something is
    wrong, or if two files that have nothing to do with each other declare a name.
    """
    own = _targets_of(*own_tables())
    shared: dict[str, Target] = {}
    for file, tables in map(_tables_of, shared_files(beside)):
        for name, target in _targets_of(file, tables).items():
            first = shared.setdefault(name, target)
            if name not in own:
                _check_same(first, target)
    return {**shared, **own}


def _check_same(first: Target, second: Target) -> None:
    """TargetError if two files declare a name, and neither is in a folder above the other: one
    team's file must not decide what another team's `prod` is.
    """
    folders = [Path(each.declared_in).parent for each in (first, second)]
    if folders[0].is_relative_to(folders[1]) or folders[1].is_relative_to(folders[0]):
        return
    raise TargetError(
        f"{first.declared_in} and {second.declared_in} both declare {first.name}; declare it with "
        "`mqsc target add`, or change to the folder of the one that you mean",
    )


def targets_in(file: Path, text: str) -> dict[str, Target]:
    """The targets that a file with this text would declare; TargetError if something is wrong."""
    return _targets_of(file, _checked_tables(file, _content(file, text).get(TABLE, {})))


def _targets_of(file: Path, tables: Mapping[str, Any]) -> dict[str, Target]:
    return {name: _target(file, name, table) for name, table in tables.items()}


def own_tables() -> tuple[Path, Mapping[str, Any]]:
    """The file of the user's settings, and the tables of targets in it."""
    file = config.path()
    return file, _checked_tables(file, config.targets_in(file))


def shared_files(beside: Sequence[str] = ()) -> Iterator[Path]:
    """The files targets.toml that count: in the folders of definitions and in the current folder,
    and above them up to the root of the repository.
    """
    folders = [
        path if path.is_dir() else path.parent for path in map(Path, beside) if str(path) != "-"
    ]
    seen = set[Path]()
    for start in (*folders, Path()):
        for folder in _upwards(start.resolve()):
            file = folder / FILE
            if file not in seen and file.is_file():
                seen.add(file)
                yield file


def _upwards(folder: Path) -> Iterator[Path]:
    """The folder and those above it up to the root of its repository; alone outside of one."""
    above = [folder, *folder.parents]
    root = next((at for at, each in enumerate(above) if (each / _REPOSITORY).exists()), 0)
    return iter(above[: root + 1])


def _tables_of(file: Path) -> tuple[Path, Mapping[str, Any]]:
    try:
        _check_owner(file)
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TargetError(f"{file}: {getattr(error, 'strerror', None) or error}") from error
    content = _content(file, text)
    others = content.keys() - {TABLE}
    if others:
        raise TargetError(f"{file}: {min(others)}: only tables [{TABLE}.NAME] belong here")
    return file, _checked_tables(file, content.get(TABLE, {}))


def _check_owner(file: Path) -> None:
    """TargetError if the file belongs to another user, who would say what is started; not for root,
    nor for the user who became root with sudo.
    """
    user = os.geteuid()
    trusted = {user, 0} if user else {0, int(os.environ.get("SUDO_UID", "0"))}
    if file.stat().st_uid not in trusted:
        raise TargetError(
            f"{file} belongs to another user, who would say what is started here; declare a "
            "target of your own with `mqsc target add`",
        )


def _content(file: Path, text: str) -> Mapping[str, Any]:
    from tomllib import TOMLDecodeError, loads

    try:
        return loads(text)
    except TOMLDecodeError as error:
        raise TargetError(f"{file}: {error}") from error


def _checked_tables(file: Path, tables: object) -> Mapping[str, Any]:
    if not isinstance(tables, dict) or not all(isinstance(each, dict) for each in tables.values()):
        raise TargetError(f"{file}: {TABLE}: a target is a table [{TABLE}.NAME]")
    return tables


def _target(file: Path, name: str, table: Mapping[str, Any]) -> Target:
    place = f"{file}: {TABLE}.{name}"
    check_name(place, name)
    _check_keys(place, table, _KEYS)
    queue_manager = _text(place, table, "queue_manager")
    if not is_object_name(queue_manager):
        raise TargetError(f'{place}.queue_manager: name the queue manager, such as "QM1"')
    via, rest = _words(place, table, "via"), _text(place, table, "rest")
    cacert = _relative(file.parent, _text(place, table, "cacert"))
    if rest:
        _check_rest(place, rest, table)
    elif cacert:
        raise TargetError(f"{place}.cacert: it is for rest only")
    programs = _table(place, table, "programs")
    arguments = {
        program: _words(f"{place}.arguments", words, program)
        for words in (_table(place, table, "arguments"),)
        for program in words
    }
    _check_arguments(f"{place}.arguments", arguments)
    folder = file.parent
    return Target(
        name,
        queue_manager,
        via,
        rest,
        {each: _text(f"{place}.programs", programs, each) for each in programs},
        arguments,
        tuple(str(folder / each) for each in _words(place, table, "definitions")),
        _relative(folder, _text(place, table, "credentials")),
        str(file),
        cacert,
    )


def check_name(place: str, name: str) -> None:
    """TargetError if no target can have the name."""
    if not _NAME.fullmatch(name):
        raise TargetError(f"{place}: a name has letters, digits, _ and -")


def _relative(folder: Path, path: str) -> str:
    return str(folder / Path(path).expanduser()) if path else ""


def _check_keys(place: str, table: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in table:
        if key not in known:
            why = (
                "secrets do not belong in this file; name a file that only you can read with "
                "credentials"
                if _SECRET.search(key)
                else hint(key, [*known], "there are")
            )
            raise TargetError(f"{place}.{key}: {why}")


# Keys for calls of IBM's programs.
_FOR_PROGRAMS = ("via", "programs", "arguments")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def _check_rest(place: str, rest: str, table: Mapping[str, Any]) -> None:
    """TargetError if the URL is none of mqweb, or the password could be read on its way."""
    try:
        url = urlsplit(rest)
        is_whole = bool(url.hostname) and url.port != 0 and rest.isascii() and rest.isprintable()
    except ValueError:
        raise TargetError(f"{place}.rest: {_REST_FORM}") from None
    if url.username or url.password:
        raise TargetError(f"{place}.rest: leave user and password out of the URL")
    for key in _FOR_PROGRAMS:
        if table.get(key):
            raise TargetError(f"{place}: {key} and rest cannot be used together")
    is_plain = url.scheme == "http" and url.hostname in _LOOPBACK
    if url.scheme == "http" and not is_plain:
        raise TargetError(f"{place}.rest: http:// is for this host only; use https://")
    is_base = not (url.query or url.fragment or " " in rest or "/ibmmq" in url.path)
    if not (is_whole and is_base and url.scheme in ("http", "https")):
        raise TargetError(f"{place}.rest: {_REST_FORM}")


_REST_FORM = 'write the URL of mqweb without /ibmmq, such as "https://host:9443"'


# The options that may be added to a program. Others could make it change something, such as -f of
# runmqsc, which runs a file, and -I of dmpmqmsg, which removes messages. Each is a word of its own:
# -cf would be -c and -f, and the password is given for -u.
_ADDED: Mapping[str, frozenset[str]] = {
    "dmpmqcfg": frozenset({"-c", "-l", "-q", "-r", "-u", "-w", "-z"}),
    "runmqsc": frozenset({"-c", "-l", "-m", "-n", "-u", "-w", "-x"}),
    "dmpmqmsg": frozenset({"-c", "-P", "-u", "-w"}),
}


def _check_arguments(place: str, arguments: Mapping[str, Sequence[str]]) -> None:
    for program, words in arguments.items():
        for word in words:
            if word.startswith("-") and word not in _ADDED[program]:
                allowed = ", ".join(sorted(_ADDED[program]))
                raise TargetError(
                    f"{place}.{program}: {word} cannot be added, only {allowed}, each as a word "
                    "of its own",
                )


def _table(place: str, table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise TargetError(f"{place}.{key}: write a table of programs: {', '.join(PROGRAMS)}")
    _check_keys(f"{place}.{key}", value, PROGRAMS)
    return value


def _text(place: str, table: Mapping[str, Any], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str) or not _is_word(value):
        raise TargetError(f'{place}.{key}: write a text in quotes, such as "..."')
    return value


def _words(place: str, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The words of a list, or of a text that is split as a shell splits it, and not expanded."""
    value = table.get(key, [])
    if isinstance(value, str):
        value = words_of(f"{place}.{key}", value)
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TargetError(f'{place}.{key}: write a list of words, such as ["docker", "exec"]')
    if not all(map(_is_word, value)):
        raise TargetError(f"{place}.{key}: no word may contain a zero byte")
    return tuple(value)


def words_of(place: str, text: str) -> list[str]:
    """The words of a text; TargetError if a quote in it is missing."""
    try:
        return split(text)
    except ValueError as error:
        raise TargetError(f"{place}: {text!r}: {error}") from error


def _is_word(text: str) -> bool:
    return "\0" not in text


# Passwords.

_USER_VARIABLE = "MQSC_TARGET_USER"
_PASSWORD_VARIABLE = "MQSC_TARGET_PASSWORD"
_USER_OPTION = "-u"


def password_line(target: Target, program: str) -> bytes:
    """The line that a program with -u reads first from its standard input; nothing without -u.

    It is the first line of the file of credentials, which only the user may be able to read, or
    the value of MQSC_TARGET_PASSWORD. TargetError if there is neither.
    """
    if _USER_OPTION not in target.arguments.get(program, ()):
        return b""
    if target.credentials:
        return _lines_of_credentials(target)[0] + b"\n"
    password = os.environ.get(_PASSWORD_VARIABLE)
    if password is None:
        raise TargetError(
            f"{target.name}: {program} {_USER_OPTION} needs a password: name a file with "
            f"credentials, or set {_PASSWORD_VARIABLE}",
        )
    if not set(password).isdisjoint("\r\n"):
        # What follows would be read as MQSC.
        raise TargetError(f"{target.name}: {_PASSWORD_VARIABLE} has more than one line")
    return os.fsencode(password) + b"\n"


# Longer files are no files of credentials.
_MOST_BYTES = 65_536


def user_and_password(target: Target) -> tuple[bytes, bytes]:
    """Who logs in to mqweb: the first two lines of the file of credentials, or the values of
    MQSC_TARGET_USER and MQSC_TARGET_PASSWORD. TargetError if there is neither.
    """
    if target.credentials:
        user, password, *_ = *_lines_of_credentials(target), b""
        where = f"{target.credentials} has the user in its first line, the password in its second"
    else:
        user = os.fsencode(os.environ.get(_USER_VARIABLE, ""))
        password = os.fsencode(os.environ.get(_PASSWORD_VARIABLE, ""))
        where = f"name a file with credentials, or set {_USER_VARIABLE} and {_PASSWORD_VARIABLE}"
    if not user or not password or b":" in user:
        raise TargetError(f"{target.name}: mqweb needs a user and a password: {where}")
    return user, password


def _lines_of_credentials(target: Target) -> list[bytes]:
    """The lines of the file of credentials, one at least."""
    try:
        with open(target.credentials, "rb") as file:
            status = os.fstat(file.fileno())
            if status.st_mode & _OTHERS or status.st_uid != os.geteuid():
                raise TargetError(
                    f"{target.name}: others can read {target.credentials}; use chmod 600",
                )
            return [line.rstrip(b"\r") for line in file.read(_MOST_BYTES).split(b"\n")]
    except OSError as error:
        raise TargetError(f"{target.credentials}: {error.strerror}") from error


# Changes of the user's own targets.


def declaration(target: Target) -> list[str]:
    """The lines that declare a target."""
    lines = [f"[{TABLE}.{target.name}]", f"queue_manager = {_quoted(target.queue_manager)}"]
    if target.via:
        lines.append(f"via = {_list(target.via)}")
    if target.rest:
        lines.append(f"rest = {_quoted(target.rest)}")
    if target.cacert:
        lines.append(f"cacert = {_quoted(target.cacert)}")
    if target.definitions:
        lines.append(f"definitions = {_list(target.definitions)}")
    if target.credentials:
        lines.append(f"credentials = {_quoted(target.credentials)}")
    if target.programs:
        pairs = ", ".join(f"{name} = {_quoted(path)}" for name, path in target.programs.items())
        lines.append(f"programs = {{ {pairs} }}")
    if target.arguments:
        pairs = ", ".join(f"{name} = {_list(words)}" for name, words in target.arguments.items())
        lines.append(f"arguments = {{ {pairs} }}")
    return lines


def _list(words: Iterable[str]) -> str:
    return f"[{', '.join(map(_quoted, words))}]"


def _quoted(text: str) -> str:
    """A basic string of TOML, which has the escapes of JSON."""
    from json import dumps

    return dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def without_declaration(text: str, name: str) -> str:
    """The text of a file of settings without the table of a target, and tables below it."""
    heading = re.compile(rf"\s*\[\s*{TABLE}\s*\.\s*\"?{re.escape(name)}\"?\s*(?:\.|\])")
    kept, is_inside = [], False
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("["):
            is_inside = heading.match(line) is not None
        if not is_inside:
            kept.append(line)
    text = "".join(kept).rstrip("\n")
    return f"{text}\n" if text else ""
