// The documentation: the current position, folded contents on phones, and copy buttons. All of it can be read without.
import { addCopyButton } from "./copy.js";

// The API reference was once a single page: its anchors lead to the pages of today.
const anchor = location.hash.slice(1);
if (location.pathname === "/docs" && anchor && !document.getElementById(anchor)) {
  location.replace(`/docs/anchors/${encodeURIComponent(anchor)}`);
}

// Marks the current section in the contents.
const rail = document.querySelector(".rail");
const links = new Map();
for (const link of rail.querySelectorAll("[data-entry]")) links.set(document.getElementById(link.dataset.entry), link);
const observer = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting) continue;
    for (const link of links.values()) link.removeAttribute("aria-current");
    links.get(target).setAttribute("aria-current", "true");
  }
}, { rootMargin: "-96px 0px -70% 0px" });
for (const place of links.keys()) observer.observe(place);

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.matches("input, textarea")) {
    event.preventDefault();
    document.getElementById("search").focus();
  }
});

// On a phone the contents are folded, and fold again once a place is chosen.
const narrow = matchMedia("(max-width: 900px)");
const fold = () => { rail.open = !narrow.matches; };
fold();
document.getElementById(anchor)?.scrollIntoView(); // folding has moved it
narrow.addEventListener("change", fold);
const current = rail.querySelector("[aria-current=page]");
if (current && !narrow.matches) rail.parentElement.scrollTop = current.offsetTop - 160; // only the contents scroll
for (const link of rail.querySelectorAll("a")) link.addEventListener("click", () => { if (narrow.matches) rail.open = false; });

document.querySelectorAll("pre[data-copy]").forEach(addCopyButton);
