# A match on a role, which a match on the rank gave.
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
        dist.barrier()
    case "worker":
        dist.barrier()
    case _:
        pass
