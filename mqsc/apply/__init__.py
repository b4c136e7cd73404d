"""`mqsc apply`: brings definitions to the state that files describe, as a plan and then in one transaction."""
