"""How attributes and kinds of objects are declared, and how a text becomes the value of an
attribute.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any

from msgspec import Struct, field

from mqsc.store.catalog.types import Flag, InvalidValueError, Items, Problem, Stored, Type

# Attributes of these platforms have no effect here: they are stored, and DISPLAY shows them only
# when it names them.
_OTHER_PLATFORMS = frozenset({"zos", "windows", "nsk"})


class Force(Enum):
    """When ALTER needs FORCE to change an attribute; the value says why."""

    NEVER = ""
    INPUT_HANDLES = (
        "more than one handle has it open for input, and it would no longer be shareable"
    )
    MESSAGES_OR_HANDLES = "it has messages or a handle has it open"
    HANDLES = "a handle has it open"
    RESOLVED = "a handle has a queue open that was resolved through it"
    REMOTE_HANDLES = "a handle has a remote queue open that uses it as transmission queue"


class HotColumn(Struct, frozen=True):
    """A column of `queue` or `queue_manager`: puts and gets read it instead of the definition.

    The column itself is declared in `store.sql.rows`. `numbers` maps words to the number to store
    (None is NULL); `read` derives the number from a text.
    """

    name: str
    numbers: Mapping[str, int | None] = field(default_factory=dict)
    read: Callable[[str], int | None] | None = None


# The verbs that accept an attribute.
DEFINED = frozenset({"DEFINE", "ALTER", "DISPLAY"})
# It belongs to an object that exists already: the queue manager.
ALTERED = frozenset({"ALTER", "DISPLAY"})
# It is set when the object is defined, and never changes.
FIXED = frozenset({"DEFINE", "DISPLAY"})
DISPLAYED = frozenset({"DISPLAY"})
# Records are set, not defined.
RECORDED = frozenset({"SET", "DISPLAY"})
IDENTIFYING = frozenset({"SET", "DELETE", "DISPLAY"})
SET_ONLY = frozenset({"SET"})


class Attribute(Struct, frozen=True):
    """An attribute of one or more kinds of object.

    `default` is the value in the shipped default object; None for attributes that are derived or
    required. `constant` is the value of an attribute that cannot be changed. `only_for` lists the
    subtypes (CHLTYPE, TRPTYPE, AUTHTYPE, TYPE of CHLAUTH) that have the attribute; empty for all.
    `zos_for` lists those that have it on z/OS only, `required_for` those that require it,
    `default_for` their defaults; a default that begins with `default_prefix` ends with the name of
    the object in lower case. `leading` attributes must be the first after the name. `option` marks
    a parameter that is never stored. Values of `secret` attributes are never displayed. `hidden`
    attributes are displayed only when DISPLAY names them; None lets the platform decide. `group` is
    the word of DISPLAY QMGR that shows several attributes. `display_synonyms` are synonyms that
    only DISPLAY accepts. `display_filter` is the type of the value by which DISPLAY selects
    objects: TYPE(ALL).
    """

    keyword: str
    type: Type
    help: str
    default: Stored | None = None
    verbs: frozenset[str] = DEFINED
    synonyms: tuple[str, ...] = ()
    column: HotColumn | None = None
    force: Force = Force.NEVER
    platform: str = "all"
    group: str = ""
    constant: Stored | None = None
    only_for: tuple[str, ...] = ()
    zos_for: tuple[str, ...] = ()
    required: bool = False
    required_for: tuple[str, ...] = ()
    default_for: Mapping[str, Stored] = field(default_factory=dict)
    default_prefix: str = ""
    leading: bool = False
    option: bool = False
    secret: bool = False
    hidden: bool | None = None
    display_synonyms: tuple[str, ...] = ()
    display_filter: Type | None = None

    @property
    def display_only(self) -> bool:
        """Whether only DISPLAY accepts the keyword; with any other verb it is a syntax error."""
        return self.verbs == {"DISPLAY"}

    @property
    def is_hidden(self) -> bool:
        """Whether DISPLAY ALL leaves the attribute out: it has no effect here or is about
        clusters.
        """
        return (
            self.platform in _OTHER_PLATFORMS and self.column is None
            if self.hidden is None
            else self.hidden
        )

    def in_all(self, subtype: str = "") -> bool:
        """Whether DISPLAY ALL shows the attribute for a subtype."""
        return not self.is_hidden and subtype not in self.zos_for

    def takes(self, subtype: str) -> bool:
        """Whether objects of this subtype have the attribute; a blank subtype means any subtype."""
        return (
            not subtype or not self.only_for or subtype in self.only_for or subtype in self.zos_for
        )

    def is_required(self, subtype: str) -> bool:
        """Whether DEFINE requires the attribute for this subtype."""
        return self.required or subtype in self.required_for

    def default_value(self, subtype: str = "", name: str = "") -> Stored | None:
        """The default for a subtype; CERTLABL also depends on the name of the object."""
        if self.default_prefix:
            return self.default_prefix + name.lower()
        chosen = self.default_for.get(subtype, self.default)
        return list(chosen) if isinstance(chosen, list) else chosen


# A kind of object: its attributes, the namespace of its names, and how it is displayed.

# Client-connection channels have a namespace of their own: SVRCONN and CLNTCONN may have the same
# name.
_OWN_NAMESPACE = {("CHANNEL", "CLNTCONN"): "clntconn"}


NO_DEFAULT_OBJECTS: Mapping[str, str] = {}


# Compared, and found in caches, by identity: there is one for each keyword.
class Kind(Struct, frozen=True, eq=False):
    """A kind of object.

    `key` lists the words displayed first, `display_order` every displayed word, including `key`.
    `name_length` is the maximum length of a name in bytes. `selector` is the attribute whose value
    is the subtype (CHLTYPE of a channel). `default_objects` maps a subtype to the object whose
    attributes DEFINE starts from. `identity` lists the attributes that identify a record together
    with its name. `words` maps every keyword, synonym and clearing keyword (NOTRIGGER) to its
    attribute, and to False for the latter.
    """

    keyword: str
    name_type: Type
    name_length: int
    attributes: Mapping[str, Attribute]
    display_order: tuple[str, ...]
    words: Mapping[str, tuple[Attribute, bool]]
    hot_columns: tuple[tuple[str, HotColumn], ...]
    namespace: str = ""
    synonyms: tuple[str, ...] = ()
    heading_id: str = ""
    heading: str = ""
    key: tuple[str, ...] = ()
    default_objects: Mapping[str, str] = field(default_factory=dict)
    selector: str = ""
    identity: tuple[str, ...] = ()
    platform: str = "all"

    @property
    def default_object(self) -> str:
        """The default object of a kind without subtypes, otherwise blank."""
        return self.default_objects.get("", "")

    def default_object_of(self, subtype: str) -> str:
        """The name of the default object for a subtype, or blank."""
        return self.default_objects.get(subtype) or self.default_object

    def namespace_of(self, subtype: str = "") -> str:
        """Where names must be unique: all types of queue share a namespace, so do all channels
        but CLNTCONN.
        """
        return _OWN_NAMESPACE.get((self.keyword, subtype), self.namespace)

    def shown(self, subtype: str = "") -> tuple[str, ...]:
        """The words that DISPLAY ALL shows for objects of a subtype, in order."""
        rows = self.attributes
        return tuple(
            word
            for word in self.display_order
            if word not in rows or (rows[word].takes(subtype) and rows[word].in_all(subtype))
        )


def displayed(keyword: str, type: Type, help: str, *, hidden: bool | None = None) -> Attribute:
    """An attribute that is computed when DISPLAY shows it."""
    return Attribute(keyword, type, help, verbs=DISPLAYED, hidden=hidden)


def make_kind(
    keyword: str,
    name_type: Type,
    attributes: Iterable[Attribute] = (),
    *,
    key: tuple[str, ...] = (),
    heading_id: str = "",
    heading: str = "",
    namespace: str = "",
    synonyms: tuple[str, ...] = (),
    selector: str = "",
    identity: tuple[str, ...] = (),
    platform: str = "all",
    default_objects: Mapping[str, str] = NO_DEFAULT_OBJECTS,
) -> Kind:
    """A kind with these attributes, which are displayed in their order after the words of its key.

    Without a `namespace`, names of the kind have one of their own.
    """
    by_keyword = {attribute.keyword: attribute for attribute in attributes}
    shown = (
        attribute.keyword
        for attribute in by_keyword.values()
        if "DISPLAY" in attribute.verbs and not attribute.option
    )
    hot_columns = (
        (attribute.keyword, attribute.column)
        for attribute in by_keyword.values()
        if attribute.column is not None
    )
    return Kind(
        keyword,
        name_type,
        int(getattr(name_type, "length", 0)),
        by_keyword,
        tuple(dict.fromkeys((*key, *shown))),
        _words(by_keyword.values()),
        tuple(hot_columns),
        namespace=namespace or keyword.lower(),
        synonyms=synonyms,
        heading_id=heading_id,
        heading=heading,
        key=key,
        default_objects=default_objects,
        selector=selector,
        identity=identity,
        platform=platform,
    )


def defaults(kind: Kind, subtype: str = "", name: str = "") -> dict[str, Stored]:
    """The attributes of the shipped default object of a kind, as stored values.

    Rows without a default (derived, required) and options are left out. `subtype` selects the rows
    of one CHLTYPE, AUTHTYPE or TRPTYPE and is included itself; `name` is the name of the object,
    for defaults derived from it.
    """
    shipped, made = _shipped(kind, subtype)
    values = shipped.copy()
    for row in made:
        value = row.default_value(subtype, name)
        if value is not None:
            values[row.keyword] = value
    return values


@cache
def _shipped(kind: Kind, subtype: str) -> tuple[dict[str, Stored], tuple[Attribute, ...]]:
    """The defaults of a kind, and the rows whose default is made anew for each object: from its
    name, or a list.
    """
    values: dict[str, Stored] = {kind.selector: subtype} if kind.selector and subtype else {}
    computed = []
    for attribute in kind.attributes.values():
        if (
            attribute.option
            or attribute.constant is not None
            or not attribute.takes(subtype)
            or attribute.keyword in values
        ):
            continue
        value = attribute.default_value(subtype)
        if attribute.default_prefix or isinstance(value, list):
            computed.append(attribute)
        elif value is not None:
            values[attribute.keyword] = value
    return values, tuple(computed)


def constants(kind: Kind) -> dict[str, Stored]:
    """The attributes with the same value in every object of a kind (MAXPRTY, PLATFORM)."""
    return {
        row.keyword: row.constant for row in kind.attributes.values() if row.constant is not None
    }


def columns(
    kind: Kind,
    attributes: Mapping[str, Stored],
    words: Container[str] | None = None,
) -> dict[str, int | str | None]:
    """The hot columns for stored values of attributes, or only of `words`; attributes without a
    column are left out.
    """
    chosen = attributes if words is None else words
    values: dict[str, int | str | None] = {}
    for word, column in kind.hot_columns:
        if word in chosen:
            stored: Any = attributes[word]
            values[column.name] = (
                column.numbers.get(stored, stored) if column.read is None else column.read(stored)
            )
    return values


def _words(rows: Iterable[Attribute]) -> dict[str, tuple[Attribute, bool]]:
    words: dict[str, tuple[Attribute, bool]] = {}
    for row in rows:
        for word in (row.keyword, *row.synonyms, *row.display_synonyms):
            words[word] = (row, True)
        if isinstance(row.type, Flag) and row.type.off:
            words[row.type.off] = (row, False)
    return words


# Turns the texts of a command's parameter into the value to store, as the row of the attribute
# says.


class AttributeValueError(Exception):
    """A parameter has a value that its attribute does not accept.

    `detail` says what the attribute accepts; `index` is the position of the wrong value in a list.
    """

    def __init__(self, keyword: str, problem: Problem, detail: str, index: int = 0) -> None:
        super().__init__(keyword, problem, detail, index)
        self.keyword = keyword
        self.problem: Problem = problem
        self.detail = detail
        self.index = index

    def __str__(self) -> str:
        return f"{self.keyword} takes {self.detail}"


def read_value(attribute: Attribute, texts: Sequence[str] | None, on: bool = True) -> Stored:
    """The value to store for a parameter of a command; raises AttributeValueError.

    `texts` are the values between the parentheses, folded to upper case unless they were quoted;
    None when there are no parentheses. `on` is False when a flag was given by the keyword that
    clears it.
    """
    type = attribute.type
    if isinstance(type, Flag):
        if texts is not None:
            raise AttributeValueError(attribute.keyword, "form", type.wanted)
        return type.on if on else type.off
    if texts is None:
        raise AttributeValueError(
            attribute.keyword,
            "form",
            f"a value in parentheses: {type.wanted}",
        )
    if isinstance(type, Items):
        return _read_items(attribute, type, texts)
    if not texts:
        raise AttributeValueError(attribute.keyword, "empty", type.wanted)
    if len(texts) > 1:
        raise AttributeValueError(attribute.keyword, "count", f"one value: {type.wanted}", 1)
    return _accepted(attribute, texts[0], 0)


def _read_items(attribute: Attribute, items: Items, texts: Sequence[str]) -> list[str]:
    if len(texts) == 1 and not texts[0].strip(" "):
        texts = ()
    if not texts:
        if not items.may_be_empty:
            raise AttributeValueError(attribute.keyword, "empty", items.wanted)
        return []
    if len(texts) > items.most:
        raise AttributeValueError(attribute.keyword, "count", items.wanted, items.most)
    read = [str(_accepted(attribute, text, index)) for index, text in enumerate(texts)]
    blank = next((index for index, item in enumerate(read) if not item), None)
    if blank is not None:
        raise AttributeValueError(attribute.keyword, "empty", items.wanted, blank)
    if (
        items.total
        and sum(len(item.encode("utf-8", "surrogatepass")) + 1 for item in read) - 1 > items.total
    ):
        raise AttributeValueError(attribute.keyword, "length", items.wanted)
    return read


def _accepted(attribute: Attribute, text: str, index: int) -> int | str:
    try:
        return attribute.type.accept(text)
    except InvalidValueError as error:
        raise AttributeValueError(attribute.keyword, error.problem, error.detail, index) from None
