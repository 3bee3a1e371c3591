"""Numbers: losses, logarithms, quotients, and the functions that compute them exactly."""
