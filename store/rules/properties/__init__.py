"""Message properties: names, types, handles, their encoding in message data, and which of them a
program gets.
"""
