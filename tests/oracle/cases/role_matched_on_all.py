# The same; each arm communicates.
import torch.distributed as dist
def role(rank):
    match rank:
        case 0:
            return "chief"
        case 1 | 2:
            return "worker"
        case _:
            return "spare"
match role(dist.get_rank()):
    case "chief":
        print("hi")
        dist.barrier()
    case "worker" | "spare":
        dist.barrier()
