"""The calls, one file each: read the facts, decide, write, record, settle what follows."""
