// The filters over the index of rules. The choice is part of the address, so that a filtered index can be linked to.
(() => {
  const form = document.querySelector(".rule-filters");
  if (!form) return;
  const families = [...document.querySelectorAll(".rule-family")];
  const rows = families.flatMap((family) => [...family.querySelectorAll("tbody tr")]);
  const filters = [...form.querySelectorAll("select")];
  const count = form.querySelector("output");

  const show = () => {
    const chosen = filters.filter((filter) => filter.value);
    let shown = 0;
    for (const row of rows) {
      const fits = chosen.every((filter) => row.dataset[filter.dataset.filter].split("|").includes(filter.value));
      row.hidden = !fits;
      shown += fits;
    }
    for (const family of families) family.hidden = !family.querySelector("tbody tr:not([hidden])");
    count.value = `${shown} of ${rows.length} rules`;
  };

  const asked = new URLSearchParams(location.search);
  for (const filter of filters) {
    const wanted = asked.get(filter.dataset.filter);
    if (wanted && [...filter.options].some((option) => option.value === wanted)) filter.value = wanted;
  }
  form.addEventListener("change", () => {
    const query = new URLSearchParams();
    for (const filter of filters) if (filter.value) query.set(filter.dataset.filter, filter.value);
    const address = new URL(location.href);
    address.search = query.toString();
    try {
      history.replaceState(null, "", address);
    } catch {
      // Some browsers refuse this for files.
    }
    show();
  });
  form.hidden = false;
  show();
})();
