"""The program: its modules linked with each other, and what names, values, objects and calls mean across functions and files."""
