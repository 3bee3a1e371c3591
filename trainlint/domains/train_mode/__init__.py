"""Training and evaluation mode: in which of the two a model is when it runs."""
