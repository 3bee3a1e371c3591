from .meeting import settle
from .place import is_leading as leading
