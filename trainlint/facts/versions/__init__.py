"""Versions of frameworks: which are asked for, and which of them fit together (tables ``releases``)."""
