"""A library that can be used on XLA: it ends a step where torch_xla is there."""

try:
    import torch_xla.core.xla_model as xm

    XLA_AVAILABLE = True
except ImportError:
    XLA_AVAILABLE = False


class Pipeline:
    def __init__(self, model, tokenizer):
        self.model = model
        self.tokenizer = tokenizer

    def __call__(self, prompt):
        tokens = self.tokenizer(prompt, padding="longest", return_tensors="pt").input_ids
        for _ in range(50):
            tokens = self.model(tokens)
            if XLA_AVAILABLE:
                xm.mark_step()
        return tokens
