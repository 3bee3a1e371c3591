"""A package that hands on functions that are called like their files, and one file as it is."""

from . import tools
from .evaluate import evaluate
from .train import train

__all__ = ["evaluate", "tools", "train"]
