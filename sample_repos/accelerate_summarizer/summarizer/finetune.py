"""Entry point: ``accelerate launch -m summarizer.finetune --articles /datasets/newspaper``."""

from __future__ import annotations

from accelerate import Accelerator
from accelerate.utils import set_seed
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from .articles import Articles, article_batches, topic_batches
from .options import read_options
from .topics import learn_topics
from .tuning import FineTuner


def main() -> None:
    """Fine-tune, judge and publish."""
    args = read_options()
    accelerator = Accelerator(mixed_precision=args.precision, gradient_accumulation_steps=args.accumulate)
    set_seed(args.seed)
    cutter = AutoTokenizer.from_pretrained(args.model)
    model = AutoModelForSeq2SeqLM.from_pretrained(args.model)
    learned = Articles(args, "train", cutter, accelerator)
    judged = Articles(args, "judge", cutter, accelerator)
    if args.topic_epochs:
        learn_topics(args, accelerator, model, topic_batches(args, learned, cutter))
    tuner = FineTuner(
        args,
        accelerator,
        model,
        article_batches(args, learned, cutter, model, accelerator, shuffled=True),
        article_batches(args, judged, cutter, model, accelerator, shuffled=False),
    )
    if args.resume is not None:
        accelerator.load_state(str(args.resume))
    if accelerator.is_main_process:
        print(f"{len(learned)} articles, {accelerator.num_processes} processes")
    tuner.fit(cutter)


if __name__ == "__main__":
    main()
