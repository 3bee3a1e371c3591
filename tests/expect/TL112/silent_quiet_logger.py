"""A logger that speaks on one rank only is given a file: the other ranks write nothing there."""

import logging

from accelerate import Accelerator
from accelerate.logging import get_logger

logger = get_logger(__name__)


def main(fit, model):
    accelerator = Accelerator()
    lines = logging.FileHandler("train.log")
    lines.setLevel(logging.DEBUG)
    logger.logger.addHandler(lines)
    fit(accelerator.prepare(model))
