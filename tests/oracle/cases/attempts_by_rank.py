# How many attempts fail is a matter of the rank.
import torch.distributed as dist
def fetch(attempt):
    if attempt < dist.get_rank():
        raise OSError('again')
def main():
    for attempt in range(3):
        try:
            value = fetch(attempt)
        except OSError:
            dist.barrier()
main()
