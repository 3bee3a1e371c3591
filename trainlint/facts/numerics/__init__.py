"""What numbers are: probabilities, logits, logarithms; which losses take which of them; expressions that lose digits."""
