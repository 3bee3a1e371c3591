"""Two epochs with each of TRL's trainers, in bfloat16 autocast: trainers of transformers with methods of their own."""

import json
import tempfile

import trl
from datasets import Dataset
from recorder import BATCHES, EPOCHS, EVALUATED, GIVEN, WINDOW, Recorder
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import LlamaConfig, LlamaForCausalLM, LlamaForSequenceClassification, PreTrainedTokenizerFast, TrainerCallback

WORDS = ["<pad>", "<eos>", "<unk>", "one", "two", "three", "four"]
SIZE = 4

plain = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="<unk>"))
plain.pre_tokenizer = Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=plain, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>")
shape = LlamaConfig(
    vocab_size=len(WORDS), hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
    num_key_value_heads=2, max_position_embeddings=64, pad_token_id=0, bos_token_id=1, eos_token_id=1, attention_dropout=0.1,
)  # fmt: skip
CLASSES = {"Reward": LlamaForSequenceClassification}
ROWS = {
    "SFT": {"text": "one two three four"},
    "Reward": {"chosen": "one two three", "rejected": "one four"},
    "DPO": {"prompt": "one ", "chosen": "two three", "rejected": "four"},
    "KTO": {"prompt": "one ", "completion": "two three", "label": True},
    "GRPO": {"prompt": "one two"},
    "RLOO": {"prompt": "one two"},
}


def rows(kind, count):
    made = [dict(ROWS[kind]) for _ in range(count)]
    for number, row in enumerate(made):
        if "label" in row:
            row["label"] = number % 2 == 0
    return Dataset.from_list(made)


def trained(name):
    """What is seen of the hooks when one of the trainers runs."""
    recorder, kind = Recorder(), name.rpartition(".")[2].removesuffix("Trainer")
    own, given = {}, {}
    count, evaluated = BATCHES * SIZE, EVALUATED * SIZE
    if kind in ("GRPO", "RLOO"):
        own = {"num_generations": 2, "max_completion_length": 4, "steps_per_generation": WINDOW}
        given = {"reward_funcs": [lambda completions, **_: [float(len(each)) for each in completions]]}
        count, evaluated = count // 2, evaluated // 2  # each prompt is answered twice
    shape.num_labels = 1 if kind == "Reward" else 2
    # The copy that some compare it with is loaded from where the model came from.
    folder = tempfile.mkdtemp()
    CLASSES.get(kind, LlamaForCausalLM)(shape).save_pretrained(folder)
    recorder.model = model = CLASSES.get(kind, LlamaForCausalLM).from_pretrained(folder)
    settings = getattr(trl, f"{kind}Config")(
        output_dir=folder, num_train_epochs=EPOCHS, per_device_train_batch_size=SIZE, per_device_eval_batch_size=SIZE,
        gradient_accumulation_steps=WINDOW, eval_strategy="epoch", save_strategy="no", logging_strategy="epoch", bf16=True,
        use_cpu=True, report_to=[], disable_tqdm=True, gradient_checkpointing=False, **own,
    )  # fmt: skip
    trainer = recorder.recorded(getattr(trl, f"{kind}Trainer"), "transformers.Trainer")(
        model,
        args=settings,
        train_dataset=rows(kind, count),
        eval_dataset=rows(kind, evaluated),
        processing_class=tokenizer,
        callbacks=[recorder.recorded(TrainerCallback, "transformers.TrainerCallback")()],
        **given,
    )
    trainer.train()
    return recorder.found()


there = [name for name in GIVEN["classes"] if name.rpartition(".")[2] in dir(trl)]
print("SEEN " + json.dumps({"version": trl.__version__, "classes": {name: trained(name) for name in there}}))
