// Finds sections by their words, while they are written.
const field = document.getElementById("search");
const results = document.getElementById("found-sections");
const articles = document.getElementById("articles");

function score(section, words) {
  const [, title, heading, text] = section.map((part) => part.toLowerCase());
  let sum = 0;
  for (const word of words) {
    const found = (heading.includes(word) ? 8 : 0) + (title.includes(word) ? 4 : 0)
      + Math.min(3, text.split(word).length - 1);
    if (found === 0) return 0;
    sum += found;
  }
  return sum;
}

function find() {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
  articles.hidden = words.length > 0;
  results.replaceChildren();
  if (words.length === 0) return;
  const found = sections.map((section) => [score(section, words), section])
    .filter(([points]) => points > 0).sort((a, b) => b[0] - a[0]).slice(0, 20);
  for (const [, [link, title, heading]] of found) {
    const anchor = document.createElement("a");
    anchor.href = link;
    anchor.textContent = heading || title;
    if (heading) {
      const small = document.createElement("small");
      small.textContent = title;
      anchor.append(small);
    }
    const item = document.createElement("li");
    item.append(anchor);
    results.append(item);
  }
  if (found.length === 0) {
    const item = document.createElement("li");
    item.textContent = "nothing found";
    results.append(item);
  }
}

field.addEventListener("input", find);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  } else if (event.key === "Escape" && document.activeElement === field) {
    field.value = "";
    find();
  } else if (event.key === "Enter" && document.activeElement === field) {
    const first = results.querySelector("a");
    if (first) location.href = first.href;
  }
});
