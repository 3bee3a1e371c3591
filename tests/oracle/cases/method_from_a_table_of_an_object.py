# The table of an object has its own methods in it.
import torch.distributed as dist
class T:
    def __init__(self):
        self.table = {"a": self.train, "b": self.evaluate}
    def train(self):
        dist.barrier()
    def evaluate(self):
        print(1)
    def go2(self, name):
        self.table.get(name)()
def main():
    T().go2("a" if dist.get_rank() == 0 else "b")
main()
