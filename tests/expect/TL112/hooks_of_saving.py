"""Functions that `save_state` runs: it belongs to all ranks, so each of them writes the folder that it is given."""

import json
import os

from accelerate import Accelerator


class Hooks:
    def __init__(self, accelerator, args):
        self.accelerator = accelerator
        self.args = args

    def before_saving(self, models, weights, output_dir):
        with open(os.path.join(output_dir, "settings.json"), "w") as file:  # expect: TL112
            json.dump(vars(self.args), file)


def write_card(text, folder):
    with open(os.path.join(folder, "README.md"), "w") as file:  # expect: TL112
        file.write(text)


def main(args, model, text_encoder, loader):
    accelerator = Accelerator()

    def save_models(models, weights, folder):
        for each in models:
            name = "model" if isinstance(each, type(accelerator.unwrap_model(model))) else "text_encoder"
            each.save_pretrained(os.path.join(folder, name))  # expect: TL112
            weights.pop()

    def save_card(models, weights, folder):
        write_card(args.text, folder)

    hooks = Hooks(accelerator, args)
    accelerator.register_save_state_pre_hook(save_models)
    accelerator.register_save_state_pre_hook(hooks.before_saving)
    accelerator.register_save_state_pre_hook(hook=save_card)
    model, text_encoder, loader = accelerator.prepare(model, text_encoder, loader)
    for step, batch in enumerate(loader):
        accelerator.backward(model(batch).loss)
        if step % args.every == 0:
            accelerator.save_state(os.path.join(args.output_dir, f"step-{step}"))
