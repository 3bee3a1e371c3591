import deepspeed

WHOLE = 30
SETTINGS = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": 4}
CHANGED = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": 4}
READ = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": 4}
UPDATED = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": 4}
HANDED_ON = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": 4}
PRINTED = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": 4}


def fill(config, world):
    config["train_batch_size"] = 4 * world


def train_with_both(model):
    return deepspeed.initialize(model=model, config=SETTINGS)  # expect: TL920


def train_with_an_even_batch(model):
    return deepspeed.initialize(model=model, config={"train_batch_size": 32, "train_micro_batch_size_per_gpu": 4})


def train_with_steps(model):
    config = {"train_batch_size": 30, "gradient_accumulation_steps": 4}
    return deepspeed.initialize(model=model, config=config)  # expect: TL920


def train_with_a_name(model):
    config = {"train_batch_size": WHOLE, "train_micro_batch_size_per_gpu": 4}
    return deepspeed.initialize(model=model, config=config)  # expect: TL920


def train_with_an_argument(model, micro):
    config = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": micro}
    return deepspeed.initialize(model=model, config=config)


def train_automatically(model):
    config = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": "auto"}
    return deepspeed.initialize(model=model, config=config)


def train_with_none(model):
    config = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": None, "gradient_accumulation_steps": 4}
    return deepspeed.initialize(model=model, config=config)  # expect: TL920


def train_with_nothing(model):
    config = {"train_batch_size": 30, "gradient_accumulation_steps": 0}
    return deepspeed.initialize(model=model, config=config)  # expect: TL920


def train_with_keywords(model):
    config = dict(train_batch_size=30, train_micro_batch_size_per_gpu=4)
    return deepspeed.initialize(model=model, config=config)  # expect: TL920


def train_with_keywords_of_somebody(model, others):
    config = dict(train_batch_size=30, train_micro_batch_size_per_gpu=4, **others)
    return deepspeed.initialize(model=model, config=config)


def train_with_a_copy(model, others):
    config = dict(others, train_batch_size=30, train_micro_batch_size_per_gpu=4)
    return deepspeed.initialize(model=model, config=config)


def train_with_more(model, others):
    config = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": 4, **others}
    return deepspeed.initialize(model=model, config=config)


def train_with_a_computed_key(model, prefix):
    config = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": 4, prefix + "_batch_size": 32}
    return deepspeed.initialize(model=model, config=config)


def train_with_half_precision(model):
    config = {"train_batch_size": 30, "train_micro_batch_size_per_gpu": 4, "fp16": {"loss_scale": 0}}
    return deepspeed.initialize(model=model, config=config)  # expect: TL920


def train_with_changes(model, world):
    CHANGED["train_batch_size"] = 4 * world
    return deepspeed.initialize(model=model, config=CHANGED)


def train_with_what_is_read(model):
    print(READ.get("train_batch_size"), sorted(READ.keys()))
    return deepspeed.initialize(model=model, config=READ)  # expect: TL920


def train_with_an_update(model, others):
    UPDATED.update(others)
    return deepspeed.initialize(model=model, config=UPDATED)


def train_with_what_another_fills_in(model, world):
    fill(HANDED_ON, world)
    return deepspeed.initialize(model=model, config=HANDED_ON)


def train_with_what_is_shown(model):
    print(PRINTED)
    return deepspeed.initialize(model=model, config=PRINTED)  # expect: TL920


def train_with_what_is_somewhere(model, registry):
    config = registry["zero2"]
    return deepspeed.initialize(model=model, config=config)
