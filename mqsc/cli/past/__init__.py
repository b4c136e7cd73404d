"""Commands that read the history as a whole: `mqsc audit`, `mqsc depth`."""
