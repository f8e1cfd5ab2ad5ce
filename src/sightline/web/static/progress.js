// Follows a running check: counts as they come, and the results when it has ended. Without this the page has a link.
const box = document.querySelector("[data-follow]");
if (box) {
  const bar = box.querySelector("progress");
  const words = { pending: "waiting", running: "running" };
  const tell = (scan) => {
    bar.max = scan.answers_total;
    bar.value = scan.answers_completed + scan.answers_failed;
    box.querySelector("[data-done]").textContent = scan.answers_completed;
    box.querySelector("[data-failed]").textContent = scan.answers_failed ? `, ${scan.answers_failed} failed` : "";
    box.querySelector("[data-status]").textContent = words[scan.status] ?? scan.status;
  };
  const line = new EventSource(box.dataset.follow);
  line.addEventListener("progress", (event) => tell(JSON.parse(event.data)));
  line.addEventListener("end", () => {
    line.close();
    location.reload();
  });
}
