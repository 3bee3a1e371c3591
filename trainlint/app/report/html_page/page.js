// Filters, search and keys. The page is whole without them; nothing here makes markup out of text.
"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const form = document.getElementById("filter");
  const search = document.getElementById("search");
  const file = document.getElementById("file");
  const script = document.getElementById("script");
  const status = document.getElementById("status");
  const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

  const part = document.getElementById("all-findings");
  const groups = all(".file, .group");
  const sections = all(".family, .job");
  const entries = [];
  for (const group of groups) {
    const family = group.closest(".family");
    const path = family ? group.querySelector(".path").textContent : "";
    for (const node of all(":scope > details", group)) {
      entries.push({
        node, group, path,
        summary: node.querySelector("summary"),
        finding: family !== null,
        job: family ? "" : group.closest(".job").id,
        family: family ? family.dataset.family : "",
        text: null,
        shown: true,
      });
    }
  }
  // Everything a reader sees of an entry: made when it is first searched for.
  const textOf = (entry) => (entry.text ??= `${entry.path}\n${entry.node.textContent}`.toLowerCase());
  const findings = entries.filter((entry) => entry.finding).length;
  const checks = entries.length - findings;

  // Ticked boxes narrow; where none is ticked, all are meant.
  const ticked = () => {
    const only = { level: new Set(), family: new Set(), repair: new Set(), verdict: new Set(), job: script ? script.value : "" };
    for (const box of all("input[type=checkbox]:checked", form)) only[box.name].add(box.value);
    return only;
  };
  const meant = (set, value) => set.size === 0 || set.has(value);

  // What asks for findings hides the checklist, and the other way round: only what both ask for shows both.
  const asksForFindings = (only, path) => only.level.size + only.family.size + only.repair.size > 0 || path !== "";
  const asksForChecks = (only) => only.verdict.size > 0 || only.job !== "";

  const fits = (entry, only, path, wanted) => {
    const data = entry.node.dataset;
    if (entry.finding ? asksForChecks(only) : asksForFindings(only, path)) {
      if (!(asksForChecks(only) && asksForFindings(only, path))) return false;
    }
    if (entry.finding) {
      if (!meant(only.level, data.level) || !meant(only.family, entry.family) || !meant(only.repair, data.repair)) return false;
      if (path && entry.path !== path) return false;
    } else if (!meant(only.verdict, data.verdict) || (only.job && entry.job !== only.job)) return false;
    return wanted.every((word) => textOf(entry).includes(word));
  };

  const count = (shown, total, noun) => (shown === total ? `${total} ${noun}` : `${shown} of ${total} ${noun}`);

  const apply = () => {
    const only = ticked();
    const path = file ? file.value : "";
    const wanted = words(search.value);
    const left = new Map();
    let shownFindings = 0;
    let shownChecks = 0;
    for (const entry of entries) {
      const shown = fits(entry, only, path, wanted);
      if (shown !== entry.shown) {
        entry.shown = shown;
        entry.node.hidden = !shown;
      }
      if (!shown) continue;
      left.set(entry.group, (left.get(entry.group) || 0) + 1);
      if (entry.finding) shownFindings += 1;
      else shownChecks += 1;
    }
    const whole = new Map();
    for (const group of groups) {
      const number = left.get(group) || 0;
      group.hidden = number === 0;
      group.querySelector("h3 .count").textContent = number;
      const section = group.closest(".family, .job");
      whole.set(section, (whole.get(section) || 0) + number);
    }
    for (const section of sections) {
      const number = whole.get(section) || 0;
      section.hidden = number === 0;
      const counter = section.querySelector("h2 .count");
      if (counter) counter.textContent = number;
    }
    if (part) part.hidden = shownFindings === 0;
    const said = [];
    if (checks) said.push(count(shownChecks, checks, "checks"));
    said.push(count(shownFindings, findings, findings === 1 ? "finding" : "findings"));
    const text = entries.length ? `Showing ${said.join(", ")}.` : "";
    if (status.textContent !== text) status.textContent = text;
  };

  let waiting = 0;
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  };
  const reset = () => {
    form.reset();
    apply();
  };

  const visible = () => entries.filter((entry) => entry.shown);
  const move = (step) => {
    const list = visible();
    if (!list.length) return;
    const here = document.activeElement;
    const entry = list.findIndex((each) => each.node.contains(here));
    let next = entry + step;
    if (entry < 0) {
      // Nothing is chosen yet: the first one that is not above the window.
      next = list.findIndex((each) => each.node.getBoundingClientRect().bottom > 0);
      if (next < 0) next = 0;
    }
    const target = list[Math.min(Math.max(next, 0), list.length - 1)].summary;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "nearest" });
  };

  const closeAround = (node) => {
    const open = node.closest ? node.closest(".finding[open], .check[open]") : null;
    if (!open) return false;
    open.open = false;
    open.querySelector("summary").focus();
    return true;
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const at = event.target;
    const key = event.key;
    if (key === "Escape") {
      if (at === search) {
        if (search.value) {
          search.value = "";
          apply();
        } else search.blur();
        event.preventDefault();
      } else if (closeAround(at)) event.preventDefault();
      return;
    }
    const typing = at instanceof HTMLInputElement && at.type === "search";
    if (typing && (key === "Enter" || key === "ArrowDown")) {
      clearTimeout(waiting);
      apply();
      event.preventDefault();
      const first = visible()[0];
      if (first) first.summary.focus();
      return;
    }
    if (typing || at instanceof HTMLSelectElement) return;
    const onEntry = at instanceof Element && at.matches(".finding > summary, .check > summary");
    if (key === "/") search.focus();
    else if (key === "j" || (key === "ArrowDown" && onEntry)) move(1);
    else if (key === "k" || (key === "ArrowUp" && onEntry)) move(-1);
    else return;
    event.preventDefault();
  });

  // A link leads there whatever is filtered, and opens a finding.
  const follow = () => {
    const node = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!node) return;
    const away = node.closest("[hidden]") !== null;
    if (away) reset();
    if (node.matches("details")) node.open = true;
    else if (!away) return;
    node.scrollIntoView();
  };
  addEventListener("hashchange", follow);

  // Code that is not wider than its frame is no stop of the tabulator.
  document.addEventListener("toggle", (event) => {
    for (const code of all(".code", event.target)) {
      if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
      else code.removeAttribute("tabindex");
    }
  }, true);

  // On paper everything that is shown is open.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = entries.filter((entry) => entry.shown && !entry.node.open);
    for (const entry of opened) entry.node.open = true;
  });
  addEventListener("afterprint", () => {
    for (const entry of opened) entry.node.open = false;
    opened = [];
  });

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", apply);
  search.addEventListener("input", soon);
  document.getElementById("show-all").addEventListener("click", reset);
  document.getElementById("families").hidden = true;
  form.hidden = false;
  const fold = document.querySelector(".folded");
  const wide = matchMedia("(min-width: 64rem)");
  const unfold = () => {
    fold.open = wide.matches;
  };
  wide.addEventListener("change", unfold);
  unfold();
  form.reset();
  apply();
  follow();
})();
