"""Selection strings: `Color = 'red' AND n > 5`, read once per open and asked of every message (properties §6)."""
