"use strict";
// A click on a heading sorts by its column, a second one the other way round. Rows without a value stay last.
const collator = new Intl.Collator("en", { numeric: true });

function keyOf(row, place, isNumber) {
  const cell = row.cells[place];
  if (cell.classList.contains("none")) return null;
  // The title has the exact value of one that is shown rounded.
  const text = cell.title || cell.textContent;
  return isNumber ? Number.parseFloat(text.replaceAll(",", "")) : text;
}

function sort(head) {
  const isNumber = head.classList.contains("n");
  const before = head.getAttribute("aria-sort");
  const first = isNumber ? "descending" : "ascending";
  const direction = before === null ? first : before === "ascending" ? "descending" : "ascending";
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", direction);
  const sign = direction === "ascending" ? 1 : -1;
  const body = head.closest("table").tBodies[0];
  const keyed = Array.from(body.rows, (row) => [keyOf(row, head.cellIndex, isNumber), row]);
  keyed.sort(([one], [other]) => {
    if (one === null || other === null) return (one === null) - (other === null);
    return sign * (isNumber ? one - other : collator.compare(one, other));
  });
  body.append(...keyed.map(([, row]) => row));
}

for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => sort(button.closest("th")));
}
