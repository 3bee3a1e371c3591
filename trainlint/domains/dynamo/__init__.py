"""What ``torch.compile`` makes of functions and models."""
