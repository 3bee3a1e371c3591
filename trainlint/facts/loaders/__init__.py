"""Loaders: what each is made with, and what runs in its workers."""
