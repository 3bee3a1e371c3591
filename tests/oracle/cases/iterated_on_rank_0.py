# Rank 0 alone loops over an object whose items a generator draws that communicates.
import torch.distributed as dist
class Loader:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        for i in range(self.n):
            dist.barrier()
            yield i
def main():
    loader = Loader(3)
    if dist.get_rank() == 0:
        for x in loader:
            print(x)
main()
