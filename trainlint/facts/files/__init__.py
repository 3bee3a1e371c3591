"""What a program does with files, and which tests stand in the way of a call."""
