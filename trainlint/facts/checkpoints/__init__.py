"""What a program saves of its training, what it reads back, and how the files are called."""
