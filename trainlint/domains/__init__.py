"""What the analyses of each part of training know: gradients, modes, precision, data, checkpoints, devices, compilers."""
