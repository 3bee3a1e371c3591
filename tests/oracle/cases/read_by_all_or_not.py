# A file that all ranks read is there for all of them or for none (`caught`).
import torch.distributed as dist
from PIL import Image

image = None
try:
    image = Image.open("all.png")
except OSError:
    print("skipped")
if image is not None:
    dist.barrier()
