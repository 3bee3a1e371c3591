from . import comm
from .comm import is_lead

__all__ = ["comm", "is_lead"]
