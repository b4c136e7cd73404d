"""The vocabulary of MQSC: commands, syntax, analysis of parsed commands, messages."""
