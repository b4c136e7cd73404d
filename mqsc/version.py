"""The version of the product."""

__version__ = "1.0.0"
