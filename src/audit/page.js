"use strict";
const name = document.getElementById("name");
const gaps = document.getElementById("gaps");
const count = document.getElementById("count");
const rows = Array.from(document.querySelectorAll(".matrix p:not(.head)"), (row) => ({
  row,
  text: row.textContent.toLowerCase(),
  gap: row.classList.contains("gap"),
}));

function show() {
  const wanted = name.value.toLowerCase();
  let shown = 0;
  for (const { row, text, gap } of rows) {
    const visible = (!gaps.checked || gap) && text.includes(wanted);
    row.hidden = !visible;
    shown += visible;
  }
  count.textContent = `${shown} of ${rows.length} kernels`;
}

let timer;
name.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(show, 120);
});
gaps.addEventListener("change", show);
document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
show();
