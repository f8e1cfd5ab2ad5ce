// Previews what names would find while they are typed. Without a script, the Preview button does the same.

const form = document.getElementById("brand");
const button = form?.querySelector("button[formaction]");
const shown = document.getElementById("preview");
let timer, going;

async function look() {
  going?.abort();
  going = new AbortController();
  try {
    const answer = await fetch(button.formAction, { method: "POST", body: new URLSearchParams(new FormData(form)), signal: going.signal });
    if (!answer.ok) return shown.replaceChildren();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    shown.replaceChildren(...(page.getElementById("preview")?.childNodes ?? []));
  } catch (error) {
    if (error.name !== "AbortError") shown.replaceChildren();
  }
}

form?.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(look, 900);
});
