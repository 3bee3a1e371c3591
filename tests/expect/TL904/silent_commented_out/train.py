"""What is commented out among the requirements is what the project is for, though nobody asks for it: facebookresearch/CutLER."""

from torch.cuda.amp import GradScaler


def scaler(enabled):
    return GradScaler(enabled=enabled)
