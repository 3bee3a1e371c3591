"""What TensorFlow programs do: models that a loop of its own trains, precision, pipelines of data, functions that are traced."""
