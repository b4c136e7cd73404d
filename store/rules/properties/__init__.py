"""Message properties: names, types, handles, their place in message data, and who gets to see them."""
