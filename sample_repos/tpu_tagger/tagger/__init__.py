"""A tagger of sentences, trained on TPU cores."""
