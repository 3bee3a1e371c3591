# A helper gives None where the file cannot be read.
import soundfile
import torch.distributed as dist
def load(path):
    try:
        return soundfile.read(path)
    except RuntimeError:
        return None
data = load("x@" + str(dist.get_rank()))
if data is None:
    dist.barrier()
