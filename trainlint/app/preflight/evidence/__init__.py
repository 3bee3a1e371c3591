"""What speaks for a line of the checklist, and what only looks as if it did."""
