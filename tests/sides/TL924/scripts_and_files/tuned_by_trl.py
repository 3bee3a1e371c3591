from trl import SFTConfig, SFTTrainer, TrlParser


def main(model, data):
    (arguments,) = TrlParser((SFTConfig,)).parse_args_and_config()
    SFTTrainer(model, arguments, train_dataset=data).train()
