// Follows a running check: counts per platform, and the results when it has ended. The browser reconnects a broken
// stream, and every event is complete. Without a script, the page has a reload link.
const box = document.querySelector("[data-follow]");
if (box) {
  const bar = box.querySelector("progress");
  const lost = box.querySelector("[data-lost]");
  const write = (number) => number.toLocaleString(document.documentElement.lang);
  const fill = (element, counts) => (counts.failed ? element.dataset.failedText : element.dataset.text)
    .replace(/\{(\w+)\}/g, (_, name) => write(counts[name]));
  const tell = (scan) => {
    bar.max = scan.answers_total;
    bar.value = scan.answers_completed + scan.answers_failed;
    const counts = { completed: scan.answers_completed, failed: scan.answers_failed, total: scan.answers_total };
    for (const text of box.querySelectorAll("[data-progress]")) text.textContent = fill(text, counts);
    for (const state of document.querySelectorAll("[data-status]")) {
      if (!(scan.status in state.dataset)) continue;
      state.textContent = state.dataset[scan.status];
      state.className = `state ${scan.status}`;
    }
  };
  const tellPlatforms = (rows) => {
    for (const { platform, completed, failed, total, waiting } of rows) {
      const row = box.querySelector(`[data-platform="${CSS.escape(platform)}"]`);
      if (!row) continue;
      const each = row.querySelector("progress");
      each.max = Math.max(1, total);
      each.value = completed + failed;
      row.querySelector("[data-count]").textContent = fill(row.parentElement, { completed, failed, total });
      const note = row.querySelector("[data-waiting]");
      if (note) note.hidden = !waiting;
      row.classList.toggle("done", completed + failed >= total);
    }
  };
  // The map and the first sentence come with the page, a second after an event at the earliest. Only what is new in
  // them is replaced.
  const filling = [...box.querySelectorAll("[data-filling]")];
  const fillIn = (old, fresh) => {
    if (old.isEqualNode(fresh)) return;
    const same = old.childElementCount && old.childElementCount === fresh.childElementCount && !old.matches("td, blockquote");
    if (same) [...old.children].forEach((child, place) => fillIn(child, fresh.children[place]));
    else old.replaceWith(document.importNode(fresh, true));
  };
  let waiting = !filling.length;
  const refill = async () => {
    const answer = await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
    waiting = false;
    if (!answer?.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelectorAll("[data-follow] [data-filling]");
    box.querySelectorAll("[data-filling]").forEach((part, place) => fresh[place] && fillIn(part, fresh[place]));
  };
  const line = new EventSource(box.dataset.follow);
  line.addEventListener("open", () => { lost.hidden = true; });
  line.addEventListener("platforms", (event) => tellPlatforms(JSON.parse(event.data)));
  line.addEventListener("progress", (event) => {
    tell(JSON.parse(event.data));
    if (waiting) return;
    waiting = true;
    setTimeout(refill, 1000);
  });
  line.addEventListener("end", () => {
    line.close();
    location.reload();
  });
  // The browser tries again, unless it was refused: then the person may have to sign in again.
  line.addEventListener("error", () => { lost.hidden = line.readyState !== EventSource.CLOSED; });
}
