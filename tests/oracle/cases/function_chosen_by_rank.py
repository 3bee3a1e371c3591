# What is called is chosen by the rank, a line before.
import torch.distributed as dist

def main():
    sync = dist.barrier if dist.get_rank() == 0 else (lambda: None)
    sync()

main()
