"""The vocabulary of MQSC: the command table, requests, refusals, replies, messages, masking.

The parts of MQSC that need no queue manager belong here: words, requests, refusals, replies, texts.
"""
