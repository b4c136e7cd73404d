"""The MQI calls: read the facts, decide, write, record, deliver the effects.

What a program's call does from its check to its commit belongs here.
"""
