"""``trainlint dev``: tools for those who write rules. Each command imports its tool when it runs."""

from __future__ import annotations

from pathlib import Path

import click

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.group()
def dev() -> None:
    """Tools for those who write rules."""


@dev.command("new-rule")
@click.argument("target", metavar="FAMILY/NAME")
@click.pass_context
def new_rule(ctx: click.Context, target: str) -> None:
    """Begin a rule: its page, and a module that fails, under the code of the catalogue."""
    from trainlint.app.dev.new_rule import main

    ctx.exit(main(target))


@dev.command()
@click.argument("codes", nargs=-1)
@click.option("--bless", is_flag=True, help="Rewrite what is generated: status lines, repaired blocks, the index.")
@click.pass_context
def pages(ctx: click.Context, codes: tuple[str, ...], *, bless: bool) -> None:
    """Run the code on the rule pages (of CODES, or all) and compare it with what they say."""
    from trainlint.app.dev.pages import main

    ctx.exit(main(codes, bless))


@dev.command()
@click.option("--bless", is_flag=True, help="Write the schema.")
@click.pass_context
def schema(ctx: click.Context, *, bless: bool) -> None:
    """Compare the JSON schema of the configuration with the options that it is made of."""
    from trainlint.app.dev.schema import main

    ctx.exit(main(bless))


@dev.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_context
def ir(ctx: click.Context, file: Path) -> None:
    """Print the model of FILE: what the analysis sees of it."""
    from trainlint.app.dev.ir import main

    ctx.exit(main(file))


@dev.command()
@click.argument("folder", type=_FOLDER)
@click.option("--write", "write_new", is_flag=True, help="Take today's findings over into the ledger, to be judged.")
@click.option("--ledger", type=click.Path(file_okay=False, path_type=Path), help="The ledger's folder (default: tests/ledger).")
@click.pass_context
def ledger(ctx: click.Context, folder: Path, *, write_new: bool, ledger: Path | None) -> None:
    """Run on every repository in FOLDER (owner+name) and print what moved against the ledger."""
    from trainlint.app.dev.ledger import main

    ctx.exit(main(folder, write_new, ledger=ledger))


@dev.command()
@click.argument("folders", nargs=-1, required=True, type=_FOLDER)
@click.option(
    "--diffs", type=click.Path(dir_okay=False, path_type=Path), help="Write each repair, alone, into this file, to be read."
)
@click.pass_context
def repairs(ctx: click.Context, folders: tuple[Path, ...], *, diffs: Path | None) -> None:
    """Repair copies of the repositories in FOLDERS with every rule, and say what harm that does."""
    from trainlint.app.dev.repairs import main

    ctx.exit(main(folders, diffs))
