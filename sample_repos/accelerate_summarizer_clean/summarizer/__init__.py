"""Fine-tunes a published model to summarise a newspaper's articles."""
