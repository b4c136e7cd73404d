"""Which names and passwords users and groups may have."""

# Lengths in bytes that MQ's MQCSP and MQMD allow.
LONGEST_PASSWORD = 256
LONGEST_NAME = 12
LONGEST_GROUP = 64


def user_name_fault(name: str) -> str:
    """Why no user can have that name, or blank."""
    if not _is_writable(name):
        return "the name is not UTF-8"
    if not name or name != name.strip() or not name.isprintable():
        return "a user needs a name, without control characters and without blanks around it"
    if len(name.encode()) > LONGEST_NAME:
        return f"the name of a user has at most {LONGEST_NAME} bytes, as in a message descriptor"
    return ""


def group_name_fault(name: str) -> str:
    """Why no group can have that name, or blank."""
    if not _is_writable(name) or not name or name != name.strip() or not name.isprintable():
        return (
            "a group needs a name in UTF-8, without control characters and without blanks around it"
        )
    if len(name.encode()) > LONGEST_GROUP:
        return f"the name of a group has at most {LONGEST_GROUP} bytes"
    return "everybody is in the group nobody already" if name == "nobody" else ""


def password_fault(password: str) -> str:
    """Why it cannot be a password, or blank."""
    if not password:
        return "the password is empty"
    if not _is_writable(password):
        return "the password is not UTF-8"
    if "\0" in password:
        return "a password cannot contain a null character"
    if len(password.encode()) > LONGEST_PASSWORD:
        return f"a password has at most {LONGEST_PASSWORD} bytes, as in an MQCSP"
    return ""


def _is_writable(text: str) -> bool:
    """Whether the text has no unpaired surrogates, which stand for bytes that are not UTF-8."""
    return text == text.encode(errors="ignore").decode()
