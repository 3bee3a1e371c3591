"""What configurations of libraries hold, beside what their own rooms ask: which keys there are."""
