import torch.nn as nn
from timm.utils import *

__all__ = ["nn"]
