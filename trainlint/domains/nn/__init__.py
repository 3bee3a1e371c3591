"""Modules: their layers, parameters and buffers."""
