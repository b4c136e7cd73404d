"""How scripts are run: as they are, as a plan, or atomically."""
