"""What ends a training: an option, the data, a count, a switch for those who look for mistakes."""
