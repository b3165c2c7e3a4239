"use strict";
const name = document.getElementById("name");
const gaps = document.getElementById("gaps");
const count = document.getElementById("count");
const filters = document.getElementById("filters");
const rows = Array.from(document.querySelectorAll(".matrix p:not(.head)"), (row) => ({
  row,
  text: row.lastElementChild.textContent.toLowerCase(),
  gap: row.classList.contains("gap"),
  kernels: Number(row.dataset.kernels ?? 1),
}));
const all = rows.reduce((sum, { kernels }) => sum + kernels, 0);

function show() {
  const wanted = name.value.trim().toLowerCase();
  let shown = 0;
  for (const { row, text, gap, kernels } of rows) {
    const visible = (!gaps.checked || gap) && text.includes(wanted);
    row.hidden = !visible;
    if (visible) shown += kernels;
  }
  for (const file of document.querySelectorAll("section")) {
    file.hidden = shown > 0 && !file.querySelector(".matrix p:not(.head):not([hidden])");
  }
  count.textContent = `${shown} of ${all} kernels`;
}

let timer;
name.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(show, 120);
});
gaps.addEventListener("change", show);
filters.addEventListener("submit", (event) => event.preventDefault());
document.querySelector("main").addEventListener("click", (event) => {
  // A drag selects text, and is no click.
  if (getSelection().isCollapsed) event.target.closest(".matrix p:not(.head)")?.classList.toggle("whole");
});
// The names of the GPUs stay below the filters.
new ResizeObserver(() => {
  document.documentElement.style.setProperty("--filters", `${filters.getBoundingClientRect().height}px`);
}).observe(filters);
show();
