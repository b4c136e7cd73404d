"""Users, groups and what they may do: `mqsc user`, `mqsc auth`."""
