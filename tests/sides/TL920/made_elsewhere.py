import deepspeed


def make(micro):
    return {"train_batch_size": 30, "train_micro_batch_size_per_gpu": micro}


def pick(kinds):
    return kinds.get("small")


class Trainer:
    def __init__(self):
        self.config = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": 4}

    def start(self, model):
        return deepspeed.initialize(model=model, config=self.config)  # expect: TL920


def start_with_made(model):
    return deepspeed.initialize(model=model, config=make(4))  # expect: TL920


def start_with_even(model):
    return deepspeed.initialize(model=model, config=make(5))


def start_with_picked(model, kinds):
    return deepspeed.initialize(model=model, config=pick(kinds))


def start_without(model):
    return deepspeed.initialize(model=model)


def start_with_two(model, large):
    config = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": 4}
    if large:
        config = {"train_batch_size": 60, "train_micro_batch_size_per_gpu": 8}
    return deepspeed.initialize(model=model, config=config)


def start_with_params(model):
    config = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": 4}
    return deepspeed.initialize(model=model, config_params=config)  # expect: TL920
