"""Commands that read the history as a whole: `mqsc reconcile`, `mqsc depth`."""
