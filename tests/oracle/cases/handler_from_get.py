# The rank chooses a function with `get`.
import torch.distributed as dist
def train(args):
    dist.barrier()
def evaluate(args):
    print("x")
def main():
    handlers = {"a": train, "b": evaluate}
    handler = handlers.get("a" if dist.get_rank() == 0 else "b")
    handler(1)
main()
