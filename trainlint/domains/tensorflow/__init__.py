"""What the program does with TensorFlow and Keras."""
