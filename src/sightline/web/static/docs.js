// The reference and the errors page: search, the current position, and copy buttons. Both can be read without it.
import { addCopyButton } from "./copy.js";

const rail = document.querySelector(".rail");
const links = [...rail.querySelectorAll("[data-entry]")];
const entries = links.map((link) => {
  const article = document.getElementById(link.dataset.entry);
  return { link, article, words: article.textContent.toLowerCase() };
});

// Search: every word must occur somewhere in the entry.
const box = rail.querySelector(".search");
const input = document.getElementById("search");
const found = document.getElementById("found");

function search() {
  const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { link, article, words } of entries) {
    const hit = wanted.every((word) => words.includes(word));
    link.parentElement.hidden = article.hidden = !hit;
    count += hit;
  }
  for (const group of document.querySelectorAll(".group")) {
    group.hidden = !group.querySelector("article:not([hidden])");
  }
  for (const list of rail.querySelectorAll("ul")) {
    const empty = !list.querySelector("li:not([hidden])");
    list.hidden = list.previousElementSibling.hidden = empty;
  }
  for (const part of document.querySelectorAll(".guide")) part.hidden = wanted.length > 0;
  found.textContent = wanted.length ? `${count} of ${entries.length}` : "";
}

box.hidden = false;
input.addEventListener("input", search);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.matches("input, textarea")) {
    event.preventDefault();
    rail.open = true;
    input.focus();
  } else if (event.key === "Escape" && event.target === input) {
    input.value = "";
    search();
  }
});

// A link inside the page must reach its target even while a search hides it.
addEventListener("hashchange", () => {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.closest("[hidden]")) {
    input.value = "";
    search();
    target.scrollIntoView();
  }
});

// Marks the current section in the contents.
const observer = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting) continue;
    for (const { link, article } of entries) {
      if (article === target) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }
}, { rootMargin: "-96px 0px -70% 0px" });
for (const { article } of entries) observer.observe(article);

// On a phone the contents are folded, and fold again once a place is chosen.
const narrow = matchMedia("(max-width: 900px)");
const fold = () => { rail.open = !narrow.matches; };
fold();
document.getElementById(location.hash.slice(1))?.scrollIntoView(); // folding has moved it
narrow.addEventListener("change", fold);
for (const link of rail.querySelectorAll("a")) link.addEventListener("click", () => { if (narrow.matches) rail.open = false; });

document.querySelectorAll("pre[data-copy]").forEach(addCopyButton);
