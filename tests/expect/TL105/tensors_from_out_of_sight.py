"""``full_tensor`` of what was taken out of a model: whatever the model is, it is sharded then."""

import torch
import torch.distributed as dist


def exported(model, folder, is_main_process):
    state = model.state_dict()
    if is_main_process:
        state = {k: v.full_tensor().cpu() if hasattr(v, "full_tensor") else v.cpu() for k, v in state.items()}  # expect: TL105
        torch.save(state, folder)


def logged(model):
    if dist.get_rank() == 0:
        for name, parameter in model.named_parameters():
            print(name, parameter.full_tensor().norm())  # expect: TL105


def left_before(model):
    if dist.get_rank() != 0:
        return None
    state = model.state_dict()
    return [value.full_tensor() for value in state.values()]  # expect: TL105
