# As in OptimalScale/LMFlow (nothing is compiled), mosaicml/llm-foundry (told) and a test of axolotl (put back).
import logging

import torch
import torch._dynamo

logger = logging.getLogger(__name__)


def prepare(model_args):
    if "hymba" in model_args.name:
        import torch._dynamo

        torch._dynamo.config.suppress_errors = True
        torch._dynamo.config.disable = True


def check(model_config):
    if model_config.get("ffn_type") == "te_ln_mlp":
        logger.warning("this layer has issues with the compiler, it falls back to eager")
        torch._dynamo.config.suppress_errors = True


def eager_fallback(model):
    torch._dynamo.config.suppress_errors = True
    return torch.compile(model)


def configured(model, ignore_errors=False):
    if ignore_errors:
        torch._dynamo.config.suppress_errors = True
    return torch.compile(model)
