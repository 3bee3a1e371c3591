"""Every rule code there is or will be, as data: what a selector or a suppression comment may name.

A code is known here before its rule is built, so that selecting it is silent and misspelling it is not.
The rules of other installed packages are known here too. This module is on the way of every run: it imports nothing slow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from trainlint import installed

FAMILIES: Mapping[str, str] = {
    "linter": "the linter itself",
    "distributed": "every rank, the same collectives",
    "data": "samplers, loaders, datasets",
    "memory": "graphs kept, gradients on",
    "precision": "precision and numerics",
    "compilers": "XLA, JAX, TensorFlow, torch.compile, CUDA graphs",
    "checkpoints": "checkpoints and resume",
    "loop": "the training loop",
    "throughput": "throughput",
    "environment": "reproducibility, environment, API",
}
"""Family name -> what it is about, in the order of the digit after ``TL``."""

LEVEL_WORDS: Mapping[str, str] = {"E": "error", "W": "warning", "A": "advice"}
"""Level letter -> the word used in the configuration and in the output."""


class Code(NamedTuple):
    """One rule's place in the catalogue.

    ``level`` is ``E`` (error), ``W`` (warning) or ``A`` (advice). ``repairs`` holds the kinds of repair the rule may offer:
    ``s`` safe, ``u`` unsafe, ``d`` shown only, most typical first, empty for none. ``star`` marks the flagships.
    ``family`` is a key of :data:`FAMILIES`.
    """

    code: str
    name: str
    level: str
    repairs: str
    star: bool
    family: str


# In each row: the code, its level, its repairs or a dash, a star for flagships or a dash, the name.
_TABLE = """
TL001 E -  - unreadable-source
TL002 W s  - unused-suppression
TL003 W -  - unknown-suppression
TL004 W -  - too-complex
TL005 E -  - internal-error
TL006 W -  - newer-syntax
TL101 E us * rank-conditional-collective
TL102 E d  * collective-after-rank-exit
TL103 W d  * data-dependent-collective
TL104 E -  - collective-order-mismatch
TL105 E u  * rank-conditional-sharded-state
TL106 E u  * rank-conditional-framework-save
TL107 E -  * rank-conditional-step
TL108 E u  - rank-conditional-new-group
TL109 W d  * uneven-collective-loop
TL110 W s  - missing-set-device
TL111 W u  * unsynchronized-rank-zero-write
TL112 W u  * every-rank-writes
TL113 W -  - hardcoded-world
TL114 A d  - no-collective-timeout
TL115 W u  - late-environment
TL116 W d  * data-parallel
TL117 W u  - bypassed-ddp-forward
TL118 E u  * optimizer-before-sharding
TL119 W d  * load-before-sharding
TL120 W d  - fsdp-root-only
TL121 E s  - fsdp-plain-clip
TL122 W d  - nondifferentiable-gather
TL123 A d  - syncbn-after-ddp
TL124 A s  - leaked-process-group
TL125 E d  - backend-device-mismatch
TL126 A -  - find-unused-parameters
TL127 A d  - synchronized-accumulation
TL128 W d  - unwaited-request
TL129 W u  - no-sync-without-forward
TL201 E s  * missing-set-epoch
TL202 W u  * missing-distributed-sampler
TL203 E s  - sampler-and-shuffle
TL204 A u  - ragged-distributed-batch
TL205 A u  - no-loader-workers
TL206 A s  - unpinned-loader
TL207 E s  - loader-option-conflict
TL208 W d  * unsharded-iterable-dataset
TL209 W -  - cuda-in-worker
TL210 A s  - blocking-transfer
TL211 A d  - respawned-workers
TL212 A -  - padded-evaluation
TL213 W d  - cloned-random-generator
TL214 W u  - misplaced-set-epoch
TL215 W d  - per-rank-shuffle
TL216 A u  - unshuffled-training-loader
TL217 W u  - sharded-twice
TL218 W d  - stale-worker-copy
TL301 W s  * tensor-accumulation
TL302 W s  * running-loss-graph
TL303 W s  * evaluation-without-no-grad
TL304 W u  - retained-graph
TL305 W u  - empty-cache-in-loop
TL306 W u  - implicit-reentrant-checkpoint
TL307 W s  * graph-kept-on-attribute
TL308 A s  - zeroed-gradients-kept
TL309 W -  - backward-create-graph
TL310 A s  - outputs-collected-on-gpu
TL311 W d  - checkpoint-without-grad
TL401 E ud * fp16-without-scaler
TL402 E s  * clip-before-unscale
TL403 E s  * scaler-bypassed
TL404 E s  - scaler-never-updated
TL405 W u  - backward-under-autocast
TL406 A d  - scaler-with-bfloat16
TL407 W d  - half-parameters-trained
TL408 E s  - unsafe-loss-under-autocast
TL409 W s  - sigmoid-then-bce
TL410 E u  * double-softmax
TL411 W s  - log-of-softmax
TL412 W u  - handwritten-softmax
TL413 W u  - norm-without-epsilon
TL414 A -  - unguarded-log-or-sqrt
TL415 W u  - low-precision-reduction
TL416 E u  - nll-on-probabilities
TL417 A s  - imprecise-log-exp
TL418 W s  * anomaly-detection-left-on
TL419 A u  - no-gradient-clipping
TL420 E s  * clip-after-step
TL421 E u  * double-sigmoid
TL422 A s  - kl-div-mean
TL501 W s  * tpu-ragged-batch
TL502 W d  * tpu-dynamic-shape
TL503 W sd * tpu-dynamic-padding
TL504 W d  - tpu-host-sync
TL505 E s  - missing-mark-step
TL506 E s  - tpu-plain-optimizer-step
TL508 W s  - tpu-save-on-device
TL520 E d  * branch-on-tracer
TL521 W d  - jit-in-loop
TL522 E d  - missing-static-argument
TL523 E d  * prng-key-reuse
TL524 W d  - impure-jit
TL525 E u  - numpy-on-tracer
TL526 E -  - tracer-to-host
TL527 E d  - traced-dynamic-shape
TL528 E d  - pmap-without-reduction
TL529 E -  - donated-buffer-reuse
TL530 W s  - unblocked-timing
TL531 A d  - unjitted-train-step
TL532 W d  - shared-prng-key
TL533 W -  - unread-prng-key
TL534 W d  - constant-key-in-step
TL540 W d  - function-retracing
TL541 W d  - function-side-effect
TL542 W s  - missing-training-flag
TL543 E d  * mixed-float16-without-loss-scaling
TL544 W s  - float16-output-layer
TL545 E u  - late-memory-growth
TL546 W s  * tpu-drop-remainder
TL547 A s  - dataset-without-prefetch
TL548 A s  - eager-train-step
TL549 E u  - logits-mismatch
TL550 E -  - variable-in-function
TL551 W d  - frozen-python-state
TL552 W s  - shuffle-after-batch
TL560 W d  * compiled-graph-break
TL561 W s  - compile-errors-suppressed
TL562 W d  - cudagraph-dynamic-shape
TL563 W s  - compiled-state-dict
TL564 A d  - compile-in-loop
TL570 E -  - capture-host-sync
TL571 W d  - capture-without-warmup
TL572 W d  - stream-without-sync
TL601 W u  * unsafe-load
TL602 W s  - load-without-map-location
TL603 W d  * incomplete-checkpoint
TL604 E d  * checkpoint-key-mismatch
TL605 W s  - wrapped-state-dict
TL606 W u  - pickled-module
TL607 W u  * non-atomic-save
TL608 A d  - unpruned-checkpoints
TL609 E u  * lexicographic-latest
TL610 A -  - save-every-step
TL611 W d  - lenient-load
TL612 W s  * resume-repeats-epoch
TL614 A d  - blocking-save
TL701 E s  * missing-zero-grad
TL702 E s  * gradients-cleared-before-step
TL703 W s  * scheduler-before-optimizer
TL704 W s  * evaluation-in-train-mode
TL705 W s  * train-mode-not-restored
TL706 W s  * unscaled-accumulation
TL707 A d  - dropped-last-accumulation
TL708 E -  - backward-on-detached-loss
TL709 E d  * optimizer-on-stale-parameters
TL710 W -  - scheduler-never-stepped
TL711 W -  - optimizer-never-stepped
TL712 W d  - batch-scheduler-per-epoch
TL713 W s  - dropout-always-on
TL714 E s  * unregistered-modules
TL715 E s  - exhausted-parameters
TL716 E s  - bypassed-accelerator
TL801 A d  * sync-every-step
TL802 W s  * unsynchronized-timing
TL803 W s  - benchmark-with-deterministic
TL804 A -  - misaligned-dimension
TL805 A d  - handwritten-attention
TL806 W d  - profiler-always-on
TL807 A d  - no-mixed-precision
TL811 A -  - large-pipeline-bubble
TL901 A d  - unseeded-training
TL902 A s  - partial-seeding
TL903 W s  - deterministic-without-workspace
TL904 W s  * deprecated-amp
TL905 W sd - deprecated-torch-api
TL906 W s  - debug-environment-left-on
TL907 A d  - hardcoded-device
TL908 E -  - incompatible-versions
TL909 A -  - no-preemption-handler
TL911 A s  - nonpublic-torch-api
TL912 W s  - deprecated-torchvision-api
TL920 E -  - batch-size-mismatch
TL921 E -  - precision-conflict
TL922 E -  - offload-without-stage
TL923 W u  - unknown-config-key
TL924 W -  - launcher-config-conflict
TL925 E -  - parallel-sizes-mismatch
TL930 W -  - launch-mismatch
TL931 W -  - environment-mistake
TL932 W -  - container-shared-memory
TL934 A -  - unpinned-framework
"""


def _read_table(table: str) -> dict[str, Code]:
    families = tuple(FAMILIES)
    codes = {}
    for row in table.split("\n")[1:-1]:
        code, level, repairs, star, name = row.split()
        codes[code] = Code(code, name, level, repairs.strip("-"), star == "*", families[int(code[2])])
    return codes


_OURS = _read_table(_TABLE)


def _installed() -> installed.Installed:
    metadata = list(installed.metadata())
    if not metadata:
        return installed.Installed()
    from trainlint.packages import load_packages

    return load_packages(metadata, {row.name for row in _OURS.values()})


INSTALLED = _installed()
"""What other installed packages bring."""

PREFIXES: tuple[str, ...] = ("TL", *INSTALLED.prefixes)
"""What codes begin with: letters, before three digits."""

TITLES: Mapping[str, str] = {**FAMILIES, **INSTALLED.families}
"""What each family is about, also those that are the names of other packages."""

CODES: Mapping[str, Code] = {
    **_OURS,
    **{row.code: Code(row.code, row.name, row.level, row.repairs, False, row.family) for row in INSTALLED.rows.values()},
}
"""Code -> its row, in the order of the codes; those of other packages are last."""

NAMES: Mapping[str, str] = {row.name: row.code for row in CODES.values()}
"""Kebab name -> code."""

_ON_TRIAL = """
TL103 TL112 TL116 TL117 TL203 TL207 TL208 TL209 TL213 TL214 TL217 TL218
TL303 TL304 TL305 TL306 TL307 TL309 TL311 TL407 TL411 TL412 TL413 TL415
TL601 TL602 TL603 TL604 TL605 TL606 TL607 TL609 TL611 TL612 TL702 TL706
TL708 TL709 TL710 TL711 TL712 TL713 TL716 TL802 TL803 TL904 TL905 TL912
"""

UNSETTLED: frozenset[str] = frozenset(_ON_TRIAL.split())
"""Rules that were not right 19 times in 20 on code nobody had seen, or not judged: on with ``preview``, or by their code."""

DEFAULT: frozenset[str] = frozenset(code for code, row in CODES.items() if row.level != "A") - UNSETTLED
"""What is selected when nobody says anything: errors and warnings."""

COVERED_BY: Mapping[str, str] = dict.fromkeys(("TL104", "TL105", "TL106", "TL107", "TL108", "TL109"), "TL101")
"""Code -> the more general code whose suppression comment silences it too (one mistake, one comment)."""

_EXACT = 4  # rank of a full code or a name; "ALL" has rank 0, "TL" 1, "TL1" 2, "TL10" 3


class UnknownSelector(ValueError):
    """A selector that means no rule; ``nearest`` is the selector that was probably meant, or None."""

    def __init__(self, selector: str, nearest: str | None) -> None:
        hint = f'; did you mean "{nearest}"?' if nearest else ""
        super().__init__(f'unknown rule selector "{selector}"{hint}')
        self.selector = selector
        self.nearest = nearest

    def __reduce__(self) -> tuple[type[UnknownSelector], tuple[str, str | None]]:
        return (UnknownSelector, (self.selector, self.nearest))  # it may cross a process border


def find_code(text: str) -> str | None:
    """Return the code that ``text`` spells exactly, as a code (``TL101``) or as a name, else None."""
    return text if text in CODES else NAMES.get(text)


def nearest_code(text: str) -> str | None:
    """Return the known code or name closest to ``text``, or None when nothing is close."""
    code = text.upper().replace("O", "0")  # no code has the letter, which looks like the digit
    return _closest(code, CODES) or _closest(text.lower().replace("_", "-"), NAMES)


def nearest_selector(text: str) -> str | None:
    """Return the known selector closest to ``text``, or None when nothing is close."""
    prefixes = {code[:length] for code in CODES for length in range(len(code) - 3, len(code))}
    short = _closest(text.upper(), {"ALL", *prefixes}) if len(text) < len("TL000") else None
    return short or nearest_code(text)


def _closest(text: str, known: Iterable[str]) -> str | None:
    import difflib
    from itertools import takewhile

    def likeness(word: str) -> tuple[float, int, str]:
        beginning = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, text, strict=False)))
        return difflib.SequenceMatcher(None, word, text).ratio(), beginning, word

    best = max(map(likeness, known))
    return best[2] if best[0] > 0.7 else None  # noqa: PLR2004 - one wrong character in a code is 0.8


def _expand(selector: str) -> tuple[int, frozenset[str]]:
    """Return the rank of a selector (higher is more specific) and the codes it stands for."""
    if selector == "ALL":
        return 0, frozenset(CODES)
    exact = find_code(selector)
    if exact is not None:
        return _EXACT, frozenset((exact,))
    prefix = next((prefix for prefix in PREFIXES if selector.startswith(prefix)), None)
    codes = frozenset(code for code in CODES if prefix and code.startswith(selector))
    if prefix is None or not codes:
        raise UnknownSelector(selector, nearest_selector(selector))
    return len(selector) - len(prefix) + 1, codes


def expand_selectors(selectors: Iterable[str]) -> frozenset[str]:
    """Return every code that at least one selector means.

    A selector is ``ALL``, a prefix (``TL``, ``TL1``, ``TL10``), a full code or a rule's kebab name; case matters.
    Raises :class:`UnknownSelector` for anything else.
    """
    return frozenset().union(*(_expand(selector)[1] for selector in selectors))


def by_specificity(selectors: Iterable[str]) -> list[tuple[int, str, frozenset[str]]]:
    """Return rank, selector and codes of each selector, the most general first, equals in the order given.

    Writing values over one another in this order lets the more specific selector win.
    Raises :class:`UnknownSelector`.
    """
    ranked = []
    for selector in selectors:
        rank, codes = _expand(selector)
        ranked.append((rank, selector, codes))
    return sorted(ranked, key=lambda item: item[0])


def resolve(
    select: Iterable[str] | None,
    ignore: Iterable[str],
    extend_select: Iterable[str],
    extend_ignore: Iterable[str],
    default: frozenset[str] = DEFAULT,
) -> frozenset[str]:
    """Return the codes that are on.

    The more specific selector wins, whichever list holds it (``select TL1, ignore TL101`` drops one rule of the family,
    ``select TL101, ignore TL1`` keeps that one); between equals, ignoring wins. ``select=None`` starts from ``default``,
    to which the other lists then apply; any other ``select`` starts from nothing.
    To stack two sources of settings, resolve the first and hand its result to the second as ``default``.
    Raises :class:`UnknownSelector`.
    """
    wanted = [(rank, False, codes) for rank, _, codes in by_specificity([*(select or ()), *extend_select])]
    unwanted = [(rank, True, codes) for rank, _, codes in by_specificity([*ignore, *extend_ignore])]
    on = set(default) if select is None else set()
    for _, drop, codes in sorted(wanted + unwanted, key=lambda item: item[:2]):
        if drop:
            on -= codes
        else:
            on |= codes
    return frozenset(on)
