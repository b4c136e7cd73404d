"""The structures of MQ, byte for byte: a table of fields for each, and one way to pack and unpack them all."""
