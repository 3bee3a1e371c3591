"""What a repository is: its modules linked with each other, and the questions that cross functions and files."""
