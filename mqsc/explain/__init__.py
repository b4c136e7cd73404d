"""What a code, a message, a keyword or a rule means, in plain words."""
