"""What mkdocs asks while it builds the site: pages that are made of the repository (``trainlint/app/dev/site.py``)."""

from __future__ import annotations

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from trainlint.app.dev.site import completed, generated


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are generated."""
    for path, text in generated().items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Fill in the parts of written pages that are generated."""
    del page, config, files
    return completed(markdown)
