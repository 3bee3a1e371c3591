"""What JAX, Flax, Haiku and Equinox do with the functions, the keys and the objects that they are given.

Each name that is asked for is used twice on functions which note whether what they are handed is traced.
"""

import inspect
import json
import sys
import warnings

import equinox
import haiku
import jax
import jax.numpy as jnp
import numpy as np
from flax import linen
from jax.sharding import Mesh, PartitionSpec
from signatures import found

warnings.simplefilter("ignore")
ASKED = json.loads(sys.argv[1])
ROWS, ROUNDS, ZERO = jnp.arange(3.0), 3, jnp.zeros(())
SHAPE = jax.ShapeDtypeStruct(ROWS.shape, ROWS.dtype)
#: What the parameters of draws are given that have no default.
GIVEN = {
    "shape": (8,), "p": 0.5, "n": 10, "a": 2.0, "b": 3.0, "alpha": jnp.ones(3), "loc": 0.5, "d": 3, "minval": 0, "maxval": 1000,
    "lam": 2.0, "df": 3.0, "dfnum": 3.0, "dfden": 4.0, "mean": jnp.zeros(2), "cov": jnp.eye(2), "logits": jnp.zeros(1000),
    "x": jnp.arange(50), "sigma": 1.0, "scale": 1.0, "concentration": 2.0, "mode": 0.5, "left": 0.0, "right": 1.0,
    "lower": -1.0, "upper": 1.0, "data": 1, "num": 2,
}  # fmt: skip


class Watched:
    """Functions that note whether what they are given is traced."""

    def __init__(self):
        self.traced = []

    def note(self, *given):
        self.traced.append(any(isinstance(each, jax.core.Tracer) for each in jax.tree.leaves(given)))

    def row(self, x):
        self.note(x)
        return x * 2

    def number(self, x, *_):
        self.note(x)
        return (x * x).sum()

    def both(self, x, y):
        self.note(x, y)
        return x + y

    def carrying(self, carry, x):
        self.note(carry, x)
        return carry + x, x

    def round(self, number, x):
        self.note(number, x)
        return x + number

    def goes_on(self, x):
        self.note(x)
        return x.sum() < 20

    def more(self, x):
        return self.row(x) + 1


def of_jax(last, word, thing, seen, *, at_once=False):
    """Uses what is like one of JAX's own: they give the same arguments the same places."""
    if word in ("jit", "remat", "call"):
        more = {"static_argnums": (), "static_return": False} if last == "pad_shard_unpad" else {}
        made = thing(seen.row, **more)
        return lambda: made(ROWS[:, None])
    if word == "custom":
        made = thing(seen.number)
        if last == "custom_vjp":
            made.defvjp(lambda x: ((x * x).sum(), x), lambda x, given: (2 * x * given,))
        else:
            made.defjvp(lambda x, dx: ((x[0] * x[0]).sum(), (2 * x[0] * dx[0]).sum()))
        return lambda: made(ROWS)
    if word == "pmap":
        made = thing(seen.row)
        return lambda: made(ROWS[None])
    if word == "shard_map":
        mesh, spec = Mesh(np.array(jax.devices()[:1]), ("i",)), PartitionSpec()
        return lambda: thing(seen.row, mesh=mesh, in_specs=spec, out_specs=spec)(ROWS)
    if word == "abstract":
        return lambda: (
            thing(seen.row, ROWS) if last in ("eval_shape", "linearize", "filter_eval_shape") else thing(seen.row)(ROWS)
        )
    if word == "outside":
        if last == "callback":
            return lambda: jax.jit(lambda x: (thing(seen.row, x), x)[1])(ROWS)
        if last.startswith("filter_"):
            return lambda: equinox.filter_jit(lambda x: thing(seen.row, x, result_shape_dtypes=SHAPE))(ROWS)
        return lambda: jax.jit(lambda x: thing(lambda x: np.asarray(seen.row(x)), SHAPE, x))(ROWS)
    at_once = at_once or "init" in inspect.signature(thing).parameters
    return {
        "vmap": lambda: thing(seen.row)(ROWS),
        "map": lambda: thing(seen.row, ROWS),
        "scan": lambda: thing(seen.carrying, ZERO, ROWS) if at_once else thing(seen.carrying)(ZERO, ROWS),
        "associative_scan": lambda: thing(seen.both, ROWS),
        "while_loop": lambda: thing(seen.goes_on, seen.more, ROWS),
        "fori_loop": lambda: thing(0, ROUNDS, seen.round, ROWS),
        "cond": lambda: thing(ROWS.sum() > 0, seen.row, seen.row, ROWS),
        "switch": lambda: thing(0, [seen.row, seen.row], ROWS),
    }.get(last.removeprefix("filter_"), lambda: thing(seen.number)(ROWS))  # fmt: skip


def of_haiku(last, word, thing, seen):
    """Haiku's own run in what it transforms: here without making parameters first, when loops run once as they are."""
    more = {"split_rng": False} if last == "vmap" else {}

    def plain():
        of_jax(last, word, lambda *given: thing(*given, **more), seen, at_once=last == "scan")()

    def run():
        haiku.transform_with_state(plain).apply({}, {}, None)

    return run


def of_linen(last, word, thing, seen):
    """Flax's own run in a module, of which they are given the class, or an object first."""

    class Inner(linen.Module):
        def __call__(self, *given):
            seen.note(given)
            return given if len(given) > 1 else given[0]

    def first(module, x):
        return seen.row(x)

    runs = {
        "scan": lambda net: thing(Inner, variable_broadcast="params", split_rngs={"params": False})()(ZERO, ROWS),
        "while_loop": lambda net: thing(lambda net, x: seen.goes_on(x), lambda net, x: seen.more(x), net, ROWS),
        "cond": lambda net: thing(True, first, first, net, ROWS),
        "switch": lambda net: thing(0, [first, first], net, ROWS),
    }

    class Net(linen.Module):
        @linen.compact
        def __call__(self):
            return runs.get(last, lambda net: thing(Inner)()(ROWS))(self)

    return lambda: Net().apply({})


def used(name, word, thing):
    """How often a function ran when something was used twice, and whether it was traced."""
    seen, last = Watched(), name.rpartition(".")[2]
    home = (
        of_linen if name.startswith("flax.linen.") and word != "abstract" else of_haiku if name.startswith("haiku.") else of_jax
    )
    run = home(last, word, thing, seen)
    run()
    run()
    jax.effects_barrier()
    return {"times": len(seen.traced), "traced": sorted(set(seen.traced))}


def numbers(value):
    """The bits of keys and arrays, to be compared."""
    leaves = [
        jax.random.key_data(each) if jnp.issubdtype(each.dtype, jax.dtypes.prng_key) else each for each in jax.tree.leaves(value)
    ]
    return [np.asarray(each).tolist() for each in leaves]


def drawn(name, thing):
    """What the first parameter of a function on keys is called, and whether the same key gives the same, another one another."""
    parameters = list(inspect.signature(thing).parameters.values())
    given = {**GIVEN, "mean": 1.0} if name.endswith("wald") else GIVEN
    rest = [given[each.name] for each in parameters[1:] if each.default is each.empty]
    if "shape" in (each.name for each in parameters[1:]) and "shape" not in (
        each.name for each in parameters[1:] if each.default is each.empty
    ):
        shape = {} if "multivariate" in name or name.endswith("dirichlet") else {"shape": (8,)}
    else:
        shape = {}
    one, other = (0, 1) if parameters[0].name == "seed" else (jax.random.key(0), jax.random.key(1))
    results = [numbers(thing(key, *rest, **shape)) for key in (one, one, other)]
    return {
        "parameter": parameters[0].name,
        "again": results[0] == results[1],
        "other": results[0] != results[2],
        "itself": parameters[0].name != "seed" and numbers(one)[0] in (results[0], *results[0]),
    }


def facts():
    """What is said of keys, of fields of states and of filters in words that no name stands for."""
    key = jax.random.key(0)
    dropout = linen.Dropout(0.5, deterministic=False)
    masks = [numbers(dropout.apply({}, jnp.ones(64), rngs={"dropout": each})) for each in (key, key, jax.random.key(1))]
    yield "a collection draws with its key", masks[0] == masks[1] != masks[2]

    class Two(linen.Module):
        def __call__(self):
            return self.make_rng("a"), self.make_rng("b"), self.make_rng("a")

    a, b, later = Two().apply({}, rngs={"a": key, "b": key})
    yield "two collections with one key draw the same", numbers(a) == numbers(b) != numbers(later)
    layers = [numbers(equinox.nn.Linear(3, 3, key=each).weight) for each in (key, key, jax.random.key(1))]
    yield "a layer of equinox draws with its key", layers[0] == layers[1] != layers[2]
    net = haiku.transform(lambda x: haiku.dropout(haiku.next_rng_key(), 0.5, haiku.Linear(64)(x)))
    old = [jax.random.PRNGKey(each) for each in (0, 0, 1)]
    made = [numbers(net.init(each, ROWS)) for each in old]
    yield "what haiku transforms draws with its key", made[0] == made[1] != made[2]
    taken = [numbers(next(haiku.PRNGSequence(each))) for each in old]
    yield "so does its sequence of keys", taken[0] == taken[1] != taken[2]
    dropped = [numbers(haiku.dropout(each, 0.5, jnp.ones(64))) for each in old]
    yield "so does its dropout", dropped[0] == dropped[1] != dropped[2]
    for home in ASKED["initializers"]:
        made = [numbers(found(home).lecun_normal()(each, (4, 4))) for each in (key, key, jax.random.key(1))]
        yield f"what {home} makes draws with its key", made[0] == made[1] != made[2]
    for name in ASKED["filters"]:
        word, seen = ASKED["tracing"][name], Watched()

        def told(x, text, seen=seen):
            seen.note(x)
            assert text == "text"
            return (x * x).sum()

        rows = ROWS[None] if word == "pmap" else ROWS
        if word == "vmap":
            found(name)(told, in_axes=(0, None))(rows[:, None], "text")
        elif word == "pmap":
            found(name)(told, in_axes=(0, None))(rows, "text")
        else:
            found(name)(told)(rows, "text")
        yield f"{name} leaves a text as it is", set(seen.traced) == {True}
    yield from states()


def states():
    """What a compiled function sees of a state, and what a step makes of it."""
    import optax
    from flax import struct
    from flax.training.train_state import TrainState

    @struct.dataclass
    class Kept:
        x: jax.Array
        name: str = struct.field(pytree_node=False)

    seen = {}

    def look(state, kept):
        traced = {
            name: isinstance(jax.tree.leaves(getattr(state, name))[0], jax.core.Tracer)
            for name in ("params", "step", "opt_state")
        }
        seen.update(
            traced,
            x=isinstance(kept.x, jax.core.Tracer),
            name=kept.name == "a",
            tx=isinstance(state.tx, optax.GradientTransformation),
        )
        return state

    state = TrainState.create(apply_fn=None, params={"w": ROWS}, tx=optax.adam(1e-3))
    jax.jit(look)(state, Kept(ROWS, "a"))
    yield "the fields of a state are traced, but for those that are no nodes", len(seen) == 6 and all(seen.values())
    after = state.apply_gradients(grads={"w": ROWS})
    yield (
        "a step returns another state",
        int(state.step) == 0 and int(after.step) == 1 and numbers(state.params) != numbers(after.params),
    )


report = {"used": {}, "drawn": {}, "facts": {}}
for name, said in ASKED["tracing"].items():
    if (thing := found(name)) is not None:
        try:
            report["used"][name] = used(name, said.split()[0], thing)
        except Exception as error:  # noqa: BLE001
            report["used"][name] = f"{type(error).__name__}: {error}"[:300]
for name in ASKED["keys"]:
    if (thing := found(name)) is not None:
        try:
            report["drawn"][name] = drawn(name, thing)
        except Exception as error:  # noqa: BLE001
            report["drawn"][name] = f"{type(error).__name__}: {error}"[:300]
report["facts"] = dict(facts())
print("SEEN " + json.dumps(report))
