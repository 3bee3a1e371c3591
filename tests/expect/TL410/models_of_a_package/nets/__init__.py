from .small import SmallNet

__all__ = ["SmallNet"]
