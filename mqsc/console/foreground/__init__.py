"""Programs that run until they are stopped: what they print, and their exit codes."""
