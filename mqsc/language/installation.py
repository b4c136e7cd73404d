"""The one installation, as commands and the REST API show it."""

from mqsc.store.catalog import KINDS

# IBM's name for the first installation of a machine, which scripts expect.
INSTALLATION = "Installation1"


def product_version() -> str:
    """The version that DISPLAY QMGR shows, with dots: 9.4.2.0."""
    digits = str(KINDS["QMGR"].attributes["VERSION"].constant)
    return ".".join(str(int(digits[at : at + 2])) for at in range(0, len(digits), 2))


def command_level() -> str:
    """The level of commands that DISPLAY QMGR shows: 942."""
    return str(KINDS["QMGR"].attributes["CMDLEVEL"].constant)
