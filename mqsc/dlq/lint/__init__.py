"""What could be better in a valid rules table: each piece of advice is a function that yields hits."""
