import json
import os

import torch.distributed as dist


def save_names(sets, folder):
    if dist.get_rank() != 0:
        return
    with open(os.path.join(folder, "names.json"), "w") as file:
        json.dump([each.names for each in sets], file)
