"""What programs do with the compiler of PyTorch, and with CUDA graphs."""
