"""Which files are worth parsing: those with words that a rule needs, and those that such files reach or are reached by.

A file is woken by its own words first. Then to a fixpoint, a sleeping file is woken when

* it imports a function, class or variable in which something of interest happens (``from .utils import sync_all`` holds
  no framework word), or calls a method of that kind whose name only one class has;
* a woken file imports it and it holds words of loops (a helper that iterates the loader it is given), or says of the rank;
* a woken file that joins a distributed job imports it, and it holds words of files (a helper that saves what it is given), or
  it hands on a name from such a file, or from one that is awake (an ``__init__.py``);
* an awake file takes a name from it or through it, and it holds words of what a loss may be given (a softmax at a model's end);
* something is trained on XLA, and it puts classes with a ``forward`` into a table of a woken file (models chosen by name).

A collective alone is of no interest: it matters where ranks may go different ways. So a file that only passes
collectives on is woken only if it knows of the rank, or if a file that does can reach it by imports, or if it makes a loader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from trainlint.engine.heat import Fresh, Heat, Part, Stars
from trainlint.engine.seen import Meaning, Seen
from trainlint.engine.sleeping import Names, Sleeping, Wanted
from trainlint.facts.components import module_of, split_import
from trainlint.facts.modules import ModuleFinder
from trainlint.knowledge import Knowledge
from trainlint.source.triage import Imports, Telling

#: How many imports a loader is followed through: what makes and hands on data has no words of its own.
_FAR = 5
#: How many imports lead from a training loop to what it calls: the loss, and what keeps it.
_FAR_FROM_LOOP = 2
#: How many imports lead from a training loop on XLA, or what starts it, to the models and collate functions that run in it.
_FAR_FROM_XLA = 3
#: How many imports lead from a file that joins a job to one that writes files for it, besides its own.
_FAR_FROM_JOB = 1
#: The method of a module that a training loop runs.
_RUN_AS_MODULE = "forward"
#: What happens only on some ranks, and what says which.
_COLLECTIVE, _RANK, _RANK_TEST = "collective", "rank", "rank-test"
#: What joins a distributed job, and what does something with files there.
_JOB, _FILE = "job", "file"
#: What computes a loss of a library, and what a loss may be given.
_LOSS, _HEAD = "numerics", "head"
#: What asks a model and does not train it.
_INFERENCE = "inference"


class Waking:
    """Decides round by round. ``words`` are the identifiers of every file, by path; see :class:`Sleeping`."""

    def __init__(
        self,
        words: Mapping[str, frozenset[bytes]],
        needs: Collection[str],
        knowledge: Knowledge,
        finder: ModuleFinder,
        imports: Mapping[str, Imports],
        data: Callable[[str], bytes],
    ) -> None:
        self.sleeping = Sleeping(words, finder, imports, data)
        self.finder = finder
        wanted: frozenset[bytes] = frozenset().union(*(knowledge.words(need) for need in needs))
        self._telling = Telling(wanted, knowledge.beside, *knowledge.loose())
        self._methods: Counter[str] = Counter()
        self._stars = Stars()
        others = (
            word for need in needs if need not in (_COLLECTIVE, _RANK, _RANK_TEST, _JOB) for word in knowledge.spreading(need)
        )
        self._collectives = Heat(knowledge.words(_COLLECTIVE) if _COLLECTIVE in needs else (), self._stars, self._methods)
        self._others = Heat(others, self._stars, self._methods)
        self._rank = Heat(knowledge.words("rank-test"), self._stars, self._methods)
        self.interesting = frozenset().union(*(heat.hot for heat in (self._collectives, self._others, self._rank)))
        self._of_rank = knowledge.words("rank-test")
        self._of_loops = knowledge.words("loop")
        self._of_jobs = knowledge.words(_JOB) if _JOB in needs else frozenset()
        self._of_files = knowledge.words(_FILE)
        self._of_heads = knowledge.words(_HEAD) if _LOSS in needs else frozenset()
        self._of_loaders = knowledge.words("loader")
        self.common = knowledge.common_methods
        self._beside = knowledge.beside
        self._mute: dict[str, frozenset[str]] = {}
        self._dotted: dict[str, list[str]] = {}
        self._used: dict[str, frozenset[str]] = {}
        self._knowing: set[str] = set()
        self._mentions: dict[str, frozenset[str]] = {}
        self._joining: set[str] = set()
        self._ending: set[str] = set()
        self._ways: dict[str, set[frozenset[str]]] = {}
        self._near: set[str] = set()
        self._saying = Wanted((key, None) for key in self._rank.hot)
        self._names = Names(self.sleeping)
        self._on_xla = False
        self._followed = self._followed_from(needs, knowledge)

    def _followed_from(self, needs: Collection[str], knowledge: Knowledge) -> dict[str, int]:
        """The files whose imports are woken, to how many imports away: what they use may hold no word of its own."""
        trains = frozenset(name.encode() for name in knowledge.training)
        kinds: list[tuple[frozenset[bytes], frozenset[bytes], int]] = []  # a word of the first and one of the second
        modes = frozenset(name.encode() for name in knowledge.evaluates | knowledge.ends_evaluation)
        asking = knowledge.words(_INFERENCE) if _INFERENCE in needs else frozenset()
        weights = frozenset(name.encode() for name in knowledge.takes_weights)
        if "distributed-sampler" in needs:
            data = knowledge.words("distributed-sampler") - self._of_loops
            kinds.append((data, data, _FAR))
        if "xla" in needs:
            starts = (name.rpartition(".")[2].encode() for name, role in knowledge.xla.items() if role in ("launch", "cores"))
            kinds.append((knowledge.words("xla"), trains.union(starts), _FAR_FROM_XLA))
        if not {"gradient", "autocast"}.isdisjoint(needs):
            kinds.append((trains, trains, _FAR_FROM_LOOP))
        if "compiled-function" in needs:
            compiled = knowledge.words("compiled-function")
            kinds.append((compiled, compiled, _FAR_FROM_LOOP))
        found: dict[str, int] = {}
        for path, words in self.sleeping.words.items():
            steps = [far for some, others, far in kinds if not words.isdisjoint(some) and not words.isdisjoint(others)]
            if not words.isdisjoint(asking) and not words.isdisjoint(weights) and words.isdisjoint(modes):
                steps.append(1)  # does the model that is asked there know of modes?
            if steps:
                found[path] = max(steps)
                self._on_xla = self._on_xla or _FAR_FROM_XLA in steps
        return found

    @property
    def asleep(self) -> bool:
        """Whether there is a file left to wake."""
        return bool(self.sleeping.words)

    def first(self) -> list[str]:
        """The files that hold one of the words themselves."""
        files = self.sleeping.words.items()
        return self._wake(path for path, words in files if self._telling.tells(words))

    def wake(self, path: str) -> list[str]:
        """Wake a file whatever it holds; nothing when it is awake, or no file of this run."""
        return self._wake([path] if path in self.sleeping.words else [])

    def next(self, lowered: Iterable[Seen]) -> list[str]:
        """The files to wake after these were lowered."""
        happening: list[Part] = []
        saying: list[Part] = []
        starred: set[str] = set()
        tables: list[Fresh] = []
        fresh: list[str] = []
        for seen in lowered:
            fresh.append(seen.path)
            if self._on_xla:
                tables += [(f"{seen.path}:{name}", _RUN_AS_MODULE) for name in seen.enrolled]
            meaning = Meaning(seen.path, self.finder, self.interesting, self._counts(seen.path))
            self._methods.update(seen.methods)
            parts, told = list(meaning.parts(seen.happening)), list(meaning.parts(seen.telling))
            happening += parts
            saying += told
            if seen.path not in self._knowing:
                self._mentions[seen.path] = frozenset().union(*(part.mentions for part in (*parts, *told)))
            self._near |= self._note_imports(seen)
            starred |= self._note_stars(seen)
        self._rank.spread(saying, starred)
        self._saying = Wanted((key, None) for key in self._rank.hot)
        others = self._others.spread(happening, starred)
        collectives = self._collectives.spread(happening, starred)
        asleep = self.sleeping.words
        found = [path for path in self._followed if path in asleep]
        # Those of earlier rounds too: what tells of the rank may have become known only now, under the name they hand on.
        self._near &= asleep.keys()
        found += [path for path in self._near if self._loops(path) or self._knows(path)]
        found += self._writing()
        found += self._applying(fresh)
        if others or tables:
            found += self.sleeping.using([*others, *tables])
        if collectives:
            found += self.sleeping.using(collectives, self._concerned())
        return self._wake(found)

    def _wake(self, paths: Iterable[str]) -> list[str]:
        taken = sorted(set(paths))
        for path in taken:
            words = self.sleeping.wake(path)
            self._mute[path] = frozenset(word.decode() for word in self._beside if not self._telling.holds(word, words))
            if not words.isdisjoint(self._of_rank):
                self._knowing.add(path)
            if not words.isdisjoint(self._of_jobs):
                self._joining.add(path)
            if not words.isdisjoint(self._of_heads):
                self._ending.add(path)
        return taken

    def _counts(self, path: str) -> Callable[[str, str | None], bool]:
        """Whether a name that stands in most files means something: beside the library that has it."""
        mute = self._mute[path]

        def counts(name: str, before: str | None) -> bool:
            if before is None:
                return name not in mute
            others = self._beside.get(name.encode())
            return others is None or any(part.encode() in others for part in before.split("."))

        return counts

    def _note_imports(self, seen: Seen) -> set[str]:
        """Remember what a file imports; returned are the files."""
        path, dotted = seen.path, seen.dotted
        targets = {module_of(self.finder, path, name) for name in dotted}
        found = {target for target in targets if target is not None}
        self._names.add(path, seen.bound)
        far = self._followed.get(path, 0) - 1
        if far >= 0:
            for name in dotted:
                for other in self._names.files(path, name):
                    self._followed[other] = max(far, self._followed.get(other, 0))
        self._dotted[path] = dotted
        self._used.pop(path, None)
        return found

    def _note_stars(self, seen: Seen) -> set[str]:
        """Remember from which files everything is imported; returned are the files."""
        targets = {module_of(self.finder, seen.path, dotted) for dotted in seen.stars}
        found = {target for target in targets if target is not None}
        for target in found:
            self._stars.add(target, seen.path)
        return found

    def _loops(self, path: str) -> bool:
        """Whether a sleeping file may iterate what it is given."""
        return not self._of_loops.isdisjoint(self.sleeping.words[path])

    def _concerned(self) -> set[str]:
        """The sleeping files that know of the rank, those that a file which does reaches by imports, and those with loaders.

        What a loader hands out may depend on the rank by its sampler or dataset, which is made anywhere.
        """
        asleep = self.sleeping.words
        self._learn()
        queue = [*self._knowing, *(path for path in asleep if self._knows(path))]
        seen = set(queue)
        while queue:
            path = queue.pop()
            fresh = self._uses(path) - seen
            seen |= fresh
            queue += fresh
        loading = {path for path, words in asleep.items() if not words.isdisjoint(self._of_loaders)}
        return loading.union(path for path in seen if path in asleep)

    def _learn(self) -> None:
        """Note the awake files that know of the rank by what others tell: they woke before it was, or for another reason."""
        hot = self._rank.hot
        telling = {key.rpartition(":")[0] for key in hot}
        for path, mentions in list(self._mentions.items()):
            if not mentions.isdisjoint(hot) or any(
                not rest and target in telling
                for target, rest in (split_import(self.finder, path, name) for name in self._dotted[path])
            ):
                self._knowing.add(path)
                del self._mentions[path]

    def _uses(self, path: str) -> frozenset[str]:
        """The files from which a file takes names, through whatever hands them on."""
        known = self._used.get(path)
        if known is None:
            dotted = self.sleeping.dotted(path) if path in self.sleeping.words else self._dotted.get(path, ())
            known = self._used[path] = frozenset().union(*(self._names.files(path, name) for name in dotted))
        return known

    def _writing(self) -> Iterator[str]:
        """The files from which a job takes names and that may write files; and those that hand on names of files that are awake.

        The latter also for files that know of the rank: the job may be joined anywhere.
        """
        asleep = self.sleeping.words
        near = [path for path in self._joining if path in self._dotted]
        jobs = set(near)
        for _ in range(_FAR_FROM_JOB):
            near = list({path for way in self._taken(near) for path in way if path in self._dotted} - jobs)
            jobs.update(near)
        for path in self._knowing | jobs:
            for way in self._taken([path]):
                sleeping = [other for other in way if other in asleep]
                own = [other for other in sleeping if path in jobs and not self._of_files.isdisjoint(asleep[other])]
                leads = own or any(other not in asleep and not other.endswith("__init__.py") for other in way)
                yield from sleeping if leads else own

    def _applying(self, fresh: Iterable[str]) -> Iterator[str]:
        """The files from which files that just woke take what may end in a softmax, with those that hand it on."""
        asleep = self.sleeping.words
        for way in self._taken(fresh) if self._of_heads else ():
            sleeping = [path for path in way if path in asleep]
            # What ends in one may be awake for another reason, and the file that hands it on not.
            if sleeping and any(path in self._ending or not self._of_heads.isdisjoint(asleep.get(path, ())) for path in way):
                yield from sleeping

    def _taken(self, paths: Iterable[str]) -> Iterator[frozenset[str]]:
        """For each name that awake files import, all files that must be lowered to know what it means."""
        for path in paths:
            if path not in self._ways and path in self._dotted:
                self._ways[path] = {frozenset(self._names.files(path, name)) for name in self._dotted[path]}
            yield from self._ways.get(path, ())

    def _knows(self, path: str) -> bool:
        """Whether a sleeping file may test the rank."""
        words = self.sleeping.words[path]
        return not words.isdisjoint(self._saying.methods) or self._saying.imported(self.sleeping.imported(path), words)
