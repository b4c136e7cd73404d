"""The vocabulary of MQSC: the command table, the analysis of parsed commands, refusals, messages, masking."""
