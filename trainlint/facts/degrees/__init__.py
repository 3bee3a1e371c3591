"""How many processes a model and a batch are split over, and whether that can be."""
