"""What the rules ask about TensorFlow and Keras; the model behind it is in the other files here."""

from __future__ import annotations

from trainlint.facts.tensorflow.effects import effects
from trainlint.facts.tensorflow.frozen import frozen_between_calls
from trainlint.facts.tensorflow.logits import mismatches
from trainlint.facts.tensorflow.narrow import narrow
from trainlint.facts.tensorflow.retraced import retraced
from trainlint.facts.tensorflow.unmoded import unmoded
from trainlint.facts.tensorflow.unscaled import scaled, unscaled
from trainlint.facts.tensorflow.variables import variables

__all__ = ["effects", "frozen_between_calls", "mismatches", "narrow", "retraced", "scaled", "unmoded", "unscaled", "variables"]
