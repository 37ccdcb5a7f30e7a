"use strict";
// Sortable tables: a button in each head of a column. Without this script the tables are
// as they are, and nothing promises otherwise.
(() => {
  const names = new Intl.Collator("en", { numeric: true });

  // Missing figures stay behind the others, whatever the order.
  const compare = (column, sign) => (a, b) => {
    const x = a.cells[column], y = b.cells[column];
    const missing = x.hasAttribute("data-missing") - y.hasAttribute("data-missing");
    if (missing !== 0) return missing;
    if (x.dataset.key !== undefined && y.dataset.key !== undefined)
      return sign * (Number(x.dataset.key) - Number(y.dataset.key));
    return sign * names.compare(x.textContent, y.textContent);
  };

  const sort = (table, head) => {
    const ascending = head.getAttribute("aria-sort") !== "ascending";
    for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    const body = table.tBodies[0];
    body.append(...[...body.rows].sort(compare(head.cellIndex, ascending ? 1 : -1)));
  };

  for (const table of document.querySelectorAll("table[data-sortable]")) {
    for (const head of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, head));
      head.append(button);
      head.setAttribute("aria-sort", "none");
    }
  }

  // For browsers whose style sheets can't open what is closed.
  addEventListener("beforeprint", () => {
    for (const closed of document.querySelectorAll("details:not([open])")) closed.open = true;
  });
})();
