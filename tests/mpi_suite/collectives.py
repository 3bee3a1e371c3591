"""The collectives of torch.distributed that the generated cases are made of: how each is called, and what it needs first.

Left out is what is another spelling of one that is here (`all_gather_into_tensor` is `all_gather` on another layout), since two
spellings of one operation may meet each other after all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

BUFFERS = {
    "x": "x{n} = torch.ones(4, dtype=dtype)",
    "y": "y{n} = torch.ones(4, dtype=dtype)",
    "parts": "parts{n} = [torch.ones(4, dtype=dtype) for _ in range(world_size)]",
    "box": "box{n} = [rank]",
    "boxes": "boxes{n} = list(range(world_size))",
}


@dataclass(frozen=True)
class Collective:
    """``call`` and the buffers it names, numbered ``{n}``; ``{op}``, ``{root}``, ``{group}`` are filled in or left out."""

    name: str
    call: str
    needs: tuple[str, ...] = ()
    is_async: bool = False

    @property
    def operation(self) -> str:
        """What meets on all ranks, called to be waited for or not."""
        return self.name.removesuffix("_async")

    @property
    def has_root(self) -> bool:
        """Whether one rank has a part of its own."""
        return "{root}" in self.call

    @property
    def has_op(self) -> bool:
        """Whether values are combined."""
        return "{op}" in self.call

    @property
    def has_tensor(self) -> bool:
        """Whether tensors are communicated."""
        return "x" in self.needs

    def buffers(self, n: int) -> list[str]:
        """The statements that make what call number ``n`` works on."""
        return [BUFFERS[each].format(n=n) for each in self.needs]

    def issued(self, n: int, root: str = "0", op: str = "dist.ReduceOp.SUM", group: str = "") -> str:
        """The statement that runs it, or begins to."""
        arguments = self.call.format(n=n, root=root, op=op)
        extra = [f"group={group}"] * bool(group) + ["async_op=True"] * self.is_async
        text = f"dist.{self.operation}({', '.join([arguments] * bool(arguments) + extra)})"
        return f"work{n} = {text}" if self.is_async else text

    def waited(self, n: int) -> list[str]:
        """The statement that ends it, if it was only begun."""
        return [f"work{n}.wait()"] if self.is_async else []

    def statements(self, n: int, *, wrong: bool, root: str = "0", op: str = "dist.ReduceOp.SUM", group: str = "") -> list[str]:
        """Both; a wrong one is marked."""
        return [self.issued(n, root, op, group) + "  # wrong" * wrong, *self.waited(n)]


_ON_TENSORS = [
    Collective("barrier", ""),
    Collective("broadcast", "x{n}, src={root}", ("x",)),
    Collective("all_reduce", "x{n}, op={op}", ("x",)),
    Collective("reduce", "x{n}, dst={root}, op={op}", ("x",)),
    Collective("all_gather", "parts{n}, x{n}", ("x", "parts")),
    Collective("gather", "x{n}, parts{n} if rank == {root} else None, dst={root}", ("x", "parts")),
    Collective("scatter", "x{n}, parts{n} if rank == {root} else None, src={root}", ("x", "parts")),
    Collective("reduce_scatter", "x{n}, parts{n}, op={op}", ("x", "parts")),
    Collective("all_to_all_single", "y{n}, x{n}", ("x", "y")),
]
_ON_OBJECTS = [
    Collective("broadcast_object_list", "box{n}, src={root}", ("box",)),
    Collective("all_gather_object", "boxes{n}, rank", ("boxes",)),
    Collective("gather_object", "rank, boxes{n} if rank == {root} else None, dst={root}", ("boxes",)),
    Collective("scatter_object_list", "box{n}, boxes{n} if rank == {root} else None, src={root}", ("box", "boxes")),
]
BLOCKING = [*_ON_TENSORS, *_ON_OBJECTS]
ASYNC = [replace(each, name=f"{each.name}_async", is_async=True) for each in _ON_TENSORS]
ALL = [*BLOCKING, *ASYNC]
