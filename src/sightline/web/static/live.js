// Reloads parts of a page until they are final. Without a script, reload the page.
const WAIT = 3000;

// The address of the page, without the word about what was done last.
function address() {
  const query = new URLSearchParams(location.search);
  query.delete("done");
  return location.pathname + (query.size ? `?${query}` : "");
}

// Once the part has ended, figures everywhere on the page are new: shows them, unless somebody is typing.
function showResult(part) {
  const typed = [...document.querySelectorAll("main input, main textarea")].some((field) => field.value !== field.defaultValue);
  if (typed) part.textContent = part.dataset.ended;
  else location.replace(address());
}

async function refresh() {
  const live = document.querySelector("[data-live]");
  if (!live) return;
  try {
    const answer = await fetch(address(), { credentials: "same-origin" });
    if (answer.redirected) {
      location.replace(answer.url); // it has ended, and the page leads on
      return;
    }
    if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById(live.id);
      if (!fresh) {
        location.replace(address()); // the page has its results now
        return;
      }
      const shown = document.importNode(fresh, true);
      live.replaceWith(shown);
      shown.dispatchEvent(new Event("input", { bubbles: true })); // a form around it counts again
      if ("ended" in shown.dataset && !("live" in shown.dataset)) showResult(shown);
    }
  } catch {
    // Ignored: the next attempt may succeed.
  }
  setTimeout(refresh, WAIT);
}

setTimeout(refresh, WAIT);
