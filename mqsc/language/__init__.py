"""The vocabulary of MQSC: the command table, requests, refusals, replies, messages, masking.

What is known of MQSC before a queue manager is asked belongs here: words, requests, refusals, replies, texts.
"""
