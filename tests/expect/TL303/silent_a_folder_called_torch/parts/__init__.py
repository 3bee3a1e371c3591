"""Integrations with several libraries."""
