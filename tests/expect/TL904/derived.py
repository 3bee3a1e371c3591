"""Only imported, or derived from: facebookresearch/flow_matching, facebookresearch/vissl."""

from typing import Optional

from torch.cpu.amp import GradScaler  # expect: TL904
from torch.cuda.amp import GradScaler as CudaScaler
from torch.cuda.amp import autocast  # expect: TL904

__all__ = ["autocast"]


class ShardedScaler(CudaScaler):  # expect: TL904
    pass


def state(scaler: Optional[GradScaler]):
    return scaler.state_dict() if isinstance(scaler, GradScaler) else {}
