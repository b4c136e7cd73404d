"""`mqsc topic`: topic strings explained, publications, and subscriptions from the command line."""
