"use strict";
(() => {
  const root = document.documentElement;
  const night = matchMedia("(prefers-color-scheme: dark)");
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : night.matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  const form = document.getElementById("filters");
  const search = document.getElementById("search");
  const target = document.getElementById("target");
  const boxes = [...document.querySelectorAll("input[name=rule]")];
  const files = [...document.querySelectorAll("section.file")].map((section) => ({
    section,
    entry: document.querySelector(`#files a[href="#${section.id}"]`)?.parentElement,
    path: section.dataset.path.toLowerCase(),
    findings: [...section.querySelectorAll("article")].map((article) => ({
      article,
      rule: article.dataset.rule,
      name: article.dataset.name.toLowerCase(),
      targets: new Set(article.dataset.targets.split(" ")),
    })),
  }));

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rules = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let shown = 0;
    let all = 0;
    for (const file of files) {
      let any = false;
      for (const one of file.findings) {
        const passes = rules.has(one.rule)
          && (!target.value || one.targets.has(target.value))
          && words.every((word) => file.path.includes(word) || one.name.includes(word));
        one.article.hidden = !passes;
        any ||= passes;
        shown += passes;
        all += 1;
      }
      file.section.hidden = !any;
      if (file.entry) file.entry.hidden = !any;
    }
    document.getElementById("count").textContent = shown === all ? `${all} shown` : `${shown} of ${all} shown`;
    document.getElementById("clear").hidden = shown === all;
    document.getElementById("nothing").hidden = shown > 0;
  };

  // What a link leads to is shown, whatever the filters say.
  const reveal = () => {
    const found = location.hash && document.getElementById(location.hash.slice(1));
    if (!found) return;
    found.hidden = false;
    found.closest("section").hidden = false;
    found.scrollIntoView();
  };

  if (form) {
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    // The fields have their first values again after the event.
    form.addEventListener("reset", () => setTimeout(filter));
    filter();
  }
  addEventListener("hashchange", reveal);
  reveal();
})();
