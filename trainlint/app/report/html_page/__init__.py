"""The format for a browser: one page that needs nothing but itself.

The page is a tree of elements (:mod:`.tree`), never text put together, so nothing in a file name, a source line or a message
becomes part of its markup. All of it can be read without the script, which adds filters, search and keys.
"""

from __future__ import annotations

from trainlint.app.report.html_page.document import page, render

__all__ = ["page", "render"]
