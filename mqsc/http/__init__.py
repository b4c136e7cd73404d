"""IBM MQ's REST contract, answered from a store: `mqsc serve --http`.

What comes in as HTTP becomes a Request of `mqsc.verbs` or a call of the MQI, and what they return
becomes JSON; nothing here decides what a command or a call does.
"""
