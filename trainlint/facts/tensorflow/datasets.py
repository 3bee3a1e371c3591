"""What rules ask of datasets, of the steps that train on them and of the devices, in one place."""

from trainlint.facts.tensorflow.eager import eager_steps
from trainlint.facts.tensorflow.growth import late as set_late
from trainlint.facts.tensorflow.misordered import misordered
from trainlint.facts.tensorflow.remainders import ragged
from trainlint.facts.tensorflow.unprefetched import unprefetched

__all__ = ["eager_steps", "misordered", "ragged", "set_late", "unprefetched"]
