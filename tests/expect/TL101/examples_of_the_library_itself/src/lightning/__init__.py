"""A library that the tables describe."""

from lightning.fabric.fabric import Fabric

__all__ = ["Fabric"]
