"""The ways to run scripts: plainly, as a plan, or atomically."""
