"""How attributes are declared."""

from collections.abc import Callable, Mapping
from enum import Enum

from msgspec import Struct, field

from mqsc.store.catalog.types import Stored, Type

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
