"""The attributes of the kinds of object, a file for each subject. A kind is after its attributes."""
