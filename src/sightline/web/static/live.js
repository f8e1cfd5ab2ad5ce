// Reloads parts of a page that change by themselves until they are final. Without a script, reload the page.
const WAIT = 3000;

async function refresh() {
  const live = document.querySelector("[data-live]");
  if (!live) return;
  try {
    const answer = await fetch(location.pathname, { credentials: "same-origin" });
    if (answer.redirected) {
      location.replace(answer.url); // it has ended, and the page leads on
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById(live.id);
    if (fresh) live.replaceWith(document.importNode(fresh, true));
  } catch {
    // Ignored: the next attempt may succeed.
  }
  setTimeout(refresh, WAIT);
}

setTimeout(refresh, WAIT);
