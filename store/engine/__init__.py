"""What a call brings about: messages placed and removed, and the effects that follow from it."""
