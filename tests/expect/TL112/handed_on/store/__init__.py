from .build import loaders

__all__ = ["loaders"]
