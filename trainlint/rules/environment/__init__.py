"""TL9: reproducibility, environment, API."""
