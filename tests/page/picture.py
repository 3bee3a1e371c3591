"""Takes the picture of the page that the README shows: ``python -m tests.page.picture`` (needs the extra ``browser``)."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.cli.driven import ROOT, trainlint
from trainlint.app.report.page import without_expectations

PICTURE = Path(__file__).resolve().parent / "page.png"
SAMPLE = ROOT / "sample_repos" / "ddp_classifier"


def main() -> None:
    program = os.environ.get("TRAINLINT_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        code = Path(folder) / "code"
        shutil.copytree(SAMPLE, code, ignore=shutil.ignore_patterns("__pycache__"))
        for file in code.rglob("*.py"):
            file.write_text(without_expectations(file.read_text(encoding="utf-8")), encoding="utf-8")
        page_file = Path(folder) / "page.html"
        words = ("check", "--isolated", "--no-cache", "--output-format", "html", "--output-file", str(page_file), ".")
        trainlint(code, *words)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(page_file.as_uri())
        page.locator(".finding", has=page.locator(".lanes")).first.locator("summary").click()
        page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        page.mouse.move(0, 0)
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
