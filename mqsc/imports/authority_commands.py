"""Commands of other shells that set authorities, as MQSC: setmqaut, and GRTMQMAUT of IBM i."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence

# A command of a shell or of CL, which may be continued, and what a file may have besides: comments
# and the frame of CL.
_COMMAND = re.compile(r"(?im)^[ \t]*(?:\S*[\\/@])?(setmqaut|grtmqmaut)\b(?:.*[\\^+-][ \t]*\n)*.*")
_ASIDE = re.compile(r"^[ \t]*(?:#.*|@?rem\b.*|(?:end)?pgm[ \t]*)$", re.IGNORECASE | re.MULTILINE)
_CONTINUATION = re.compile(r"\+[ \t]*\n[ \t]*|[\\^-][ \t]*\n")


def with_authorities_as_mqsc(text: str) -> str:
    """The text with SET AUTHREC in place of these commands, in as many lines; if it has any, also
    without what the file has besides.
    """
    return _ASIDE.sub("", _COMMAND.sub(_as_mqsc, text)) if _COMMAND.search(text) else text


def _as_mqsc(match: re.Match[str]) -> str:
    """As many lines, the command in the first."""
    command = _CONTINUATION.sub("", match[0])
    return _AUTHORITIES[match[1].lower()](command) + "\n" * match[0].count("\n")


_TYPES = {
    "q": "QUEUE",
    "chl": "CHANNEL",
    "prc": "PROCESS",
    "prcs": "PROCESS",
    "nl": "NAMELIST",
    "nmlist": "NAMELIST",
    "lstr": "LISTENER",
    "lsr": "LISTENER",
    "srvc": "SERVICE",
    "svc": "SERVICE",
    "mqm": "QMGR",
    "top": "TOPIC",
    "clntcn": "CLNTCONN",
    "cltcn": "CLNTCONN",
    "rmtmqmname": "RQMNAME",
    "authi": "AUTHINFO",
    "lclq": "QUEUE",
    "alsq": "QUEUE",
    "mdlq": "QUEUE",
    "rmtq": "QUEUE",
}
_IBM_I = re.compile(r"(\w+)\(((?:'[^']*'|[^()'])*)\)")
_ADMINISTERING = re.compile(r"^\*(?:ADM(?=CHG|CLR|CRT|DLT|DSP))?")
_ENTITY = {"-p": "PRINCIPAL", "-g": "GROUP"}


def _of_setmqaut(line: str) -> str:
    """The command as SET AUTHREC; as it is if it has another form, so that it is refused with
    its place.
    """
    try:
        words = iter(shlex.split(line)[1:])
    except ValueError:
        return line
    options: dict[str, list[str]] = {"-n": [""], "-t": [""]}
    rights: dict[str, list[str]] = {"+": [], "-": []}
    for word in words:
        if word in ("-m", "-n", "-t", "-p", "-g", "-s"):
            options.setdefault(word, []).append(next(words, ""))
        elif word[:1] in rights:
            rights[word[0]].append(word[1:].upper())
    entities = [
        f"{name}({','.join(map(_quoted, options[word]))})"
        for word, name in _ENTITY.items()
        if word in options
    ]
    changes = {
        "AUTHADD": rights["+"],
        "AUTHRMV": [each for each in rights["-"] if each != "REMOVE"],
    }
    command = _authrec(options["-n"][-1], options["-t"][-1], entities, changes)
    return command.replace("SET", "DELETE", 1) if "REMOVE" in rights["-"] else command


def _of_ibm_i(line: str) -> str:
    parameters = {word.upper(): value.strip().strip("'") for word, value in _IBM_I.findall(line)}
    entities = [f"PRINCIPAL({','.join(map(_quoted, parameters.get('USER', '').split()))})"]
    rights = [_ADMINISTERING.sub("", part.upper()) for part in parameters.get("AUT", "").split()]
    return _authrec(
        parameters.get("OBJ", ""),
        parameters.get("OBJTYPE", "").lstrip("*"),
        entities,
        {"AUTHADD": rights},
    )


def _authrec(
    profile: str,
    type_: str,
    entities: Iterable[str],
    changes: Mapping[str, Sequence[str]],
) -> str:
    type_ = _TYPES.get(type_.lower(), type_.upper())
    name = f"PROFILE({_quoted(profile)}) " if profile and type_ != "QMGR" else ""
    rights_text = " ".join(
        f"{word}({', '.join(rights)})" for word, rights in changes.items() if rights
    )
    return f"SET AUTHREC {name}OBJTYPE({type_}) {' '.join(entities)} {rights_text}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


_AUTHORITIES: Mapping[str, Callable[[str], str]] = {
    "setmqaut": _of_setmqaut,
    "grtmqmaut": _of_ibm_i,
}
