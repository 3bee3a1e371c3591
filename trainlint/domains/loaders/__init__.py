"""Data loaders: their options, workers, samplers and datasets."""
