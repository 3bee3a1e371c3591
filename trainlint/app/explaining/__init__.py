"""What the analysis knows of one line of a program, for the person who asks."""
