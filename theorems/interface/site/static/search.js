// Hides the claims that do not have all the words that are typed. The page reads as well without it.
"use strict";
(() => {
  const form = document.querySelector("form.search");
  const query = document.getElementById("query");
  const count = document.getElementById("count");
  const rows = [...document.querySelectorAll("#all tbody tr")];
  form.hidden = false;
  const look = () => {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits = words.every((word) => row.dataset.words.includes(word));
      row.hidden = !fits;
      shown += fits;
    }
    count.textContent = shown === 1 ? "1 claim" : shown === 0 ? "nothing found" : `${shown} claims`;
    const address = new URL(location);
    address.hash = query.value ? encodeURIComponent(query.value) : "";
    history.replaceState(null, "", address);
  };
  query.value = decodeURIComponent(location.hash.slice(1));
  query.addEventListener("input", look);
  form.addEventListener("submit", (event) => event.preventDefault());
  look();
})();
