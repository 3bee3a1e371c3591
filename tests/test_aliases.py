"""The one name of a library's thing: which alias counts, and where in a name it may end."""

from __future__ import annotations

import pytest

from trainlint.knowledge.load import load_knowledge

OURS = {
    "aliases": {
        "acme": "first",
        "acme.core": "second",
        "acme.core.Trainer": "third.Trainer",
        "old.": "acme.",
        "tool.run_": "third.do_",
    }
}


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("acme.Thing", "first.Thing"),
        ("acme", "first"),
        ("acmes.Thing", "acmes.Thing"),  # another package
        ("acme_core.Thing", "acme_core.Thing"),
        ("acme.core.Thing", "second.Thing"),  # the longest counts
        ("acme.core.Trainer.fit", "third.Trainer.fit"),
        ("acme.core.TrainerState", "second.TrainerState"),
        ("old.core.Thing", "second.Thing"),  # an alias of an alias
        ("old", "old"),
        ("tool.run_all", "third.do_all"),  # one that says where in a word it ends
        ("tool.running", "tool.running"),
        ("", ""),
    ],
)
def test_canonical(written: str, known: str) -> None:
    assert load_knowledge(OURS).canonical(written) == known


def test_an_alias_without_end_is_given_up() -> None:
    assert load_knowledge({"aliases": {"ping": "pong", "pong": "ping"}}).canonical("ping.x") == "ping.x"


def test_loose_words_are_beside_their_aliases_too() -> None:
    plain, ours = load_knowledge(), load_knowledge({"aliases": {"acme": "horovod"}})
    word = next(word for word, known in plain.beside.items() if b"horovod" in known)
    assert ours.beside[word] == plain.beside[word] | {b"acme"}
