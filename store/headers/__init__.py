"""The structures of MQ, byte for byte: a table of fields for each, packed and unpacked by the same
code.

Layouts of bytes belong here; their meaning for a message is in `store.rules`.
"""
