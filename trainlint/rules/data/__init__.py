"""TL2: samplers, loaders, datasets."""
