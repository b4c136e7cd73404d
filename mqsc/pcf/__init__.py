"""Administration in PCF: the command server, and PCF messages in readable form."""
