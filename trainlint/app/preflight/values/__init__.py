"""What terms come to: their words, where their values come from, what the code leaves open."""
