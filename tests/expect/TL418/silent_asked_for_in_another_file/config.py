"""The settings of a run."""

from dataclasses import dataclass


@dataclass
class Debug:
    seed: int | None = None
    detect_anomaly: bool = False


@dataclass
class Config:
    debug: Debug
    steps: int = 1000
