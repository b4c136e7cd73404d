"""The script with what IBM's image for developers defines."""

from pathlib import Path

DEVELOPER_OBJECTS = Path(__file__).with_name("developer.mqsc")
