# A function marks an object that it is given, on rank 0.
import torch.distributed as dist
class State:
    def __init__(self):
        self.stop = False
def check(state):
    if dist.get_rank() == 0:
        state.stop = True
def main():
    state = State()
    for i in range(3):
        check(state)
        if state.stop:
            break
        dist.barrier()
main()
