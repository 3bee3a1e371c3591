"""Numbers in the options of plugins, and a list of layers for each stage; as in ColossalAI's examples and fairscale's tutorial."""

import fairscale
from accelerate.utils import MegatronLMPlugin
from colossalai.booster.plugin import HybridParallelPlugin
from torchgpipe import GPipe

STAGES = 2


def boosted(args):
    if args.plugin == "hybrid":
        return HybridParallelPlugin(tp_size=2, pp_size=STAGES, num_microbatches=2, precision="fp16")  # expect: TL811
    return HybridParallelPlugin(tp_size=1, pp_size=STAGES, num_microbatches=8)


def prepared():
    options = {"pp_degree": 4, "num_micro_batches": 8}
    return MegatronLMPlugin(**options)  # expect: TL811


def cut(model, balance):
    small = GPipe(model, balance=[2, 2, 1], chunks=4)  # expect: TL811
    old = fairscale.nn.Pipe(model, balance=[2, 1], chunks=8)
    return small, old, GPipe(model, balance=balance, chunks=2)
