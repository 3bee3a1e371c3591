"""Segments aerial photographs, in half precision."""
