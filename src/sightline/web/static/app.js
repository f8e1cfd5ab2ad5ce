// Enhancements of every app page: interactive charts, dialogs, menus, toasts, the theme and a search shortcut.
import { addCopyButton } from "./copy.js";
import "./unsent_form.js";

const texts = document.body.dataset; // in the reader's language

for (const pre of document.querySelectorAll("pre[data-copy]")) addCopyButton(pre);

// Vega is large: it is loaded only on pages with a chart, and after the page itself.
const charts = [...document.querySelectorAll("[data-chart]")];
if (charts.length) import("./charts.js").then(({ enliven }) => enliven(charts));

// Turns <details> into dialogs. A form stays in its place: the dialog is put around it.
for (const fold of document.querySelectorAll("details.confirm")) {
  const dialog = document.createElement("dialog");
  const summary = fold.querySelector("summary");
  const form = fold.querySelector("form");
  const title = document.createElement("h2");
  title.textContent = summary.textContent;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button quiet";
  close.textContent = texts.cancel;
  close.addEventListener("click", () => dialog.close());
  form.querySelector("[type=submit]").after(" ", close);
  form.prepend(title);
  dialog.append(form);
  fold.after(dialog);
  summary.addEventListener("click", (event) => {
    event.preventDefault();
    dialog.showModal();
  });
  if (fold.open) dialog.showModal(); // a refused form, with the cursor in the wrong field
}

// Asks for confirmation before actions such as removing the selected prompts.
for (const button of document.querySelectorAll("button[data-confirm]")) {
  button.addEventListener("click", (event) => {
    if (button.dataset.sure) return;
    event.preventDefault();
    const dialog = document.createElement("dialog");
    const text = document.createElement("p");
    text.textContent = button.dataset.confirm;
    const yes = button.cloneNode(true);
    const no = document.createElement("button");
    const row = document.createElement("p");
    for (const each of [yes, no]) each.type = "button";
    yes.className = "button danger";
    no.className = "button quiet";
    no.textContent = texts.cancel;
    no.addEventListener("click", () => dialog.close());
    yes.addEventListener("click", () => {
      button.dataset.sure = "yes";
      dialog.close();
      button.click();
    });
    dialog.addEventListener("close", () => dialog.remove());
    row.append(yes, " ", no);
    dialog.append(text, row);
    document.body.append(dialog);
    dialog.showModal();
  });
}

// A browser leaves the wrong field of a refused form where it is if a part of it is in view.
document.querySelector("[autofocus][aria-describedby$='-fault'], [autofocus][aria-describedby*='-fault ']")?.scrollIntoView({ block: "center" });

// Shows the result of an action as a toast that can be dismissed, and does not show it again on reload.
const STAYS = 10000;
for (const toast of document.querySelectorAll("[data-toast]")) {
  toast.classList.add("floating");
  const close = document.createElement("button");
  close.type = "button";
  close.className = "plain";
  close.textContent = "×";
  close.setAttribute("aria-label", texts.dismiss);
  close.addEventListener("click", () => toast.remove());
  toast.append(close);
  const leave = () => {
    if (toast.matches(":hover, :focus-within")) setTimeout(leave, STAYS);
    else toast.remove();
  };
  setTimeout(leave, STAYS);
}
const address = new URL(location.href);
if (address.searchParams.has("done")) {
  for (const name of ["done", "number", "added", "countries"]) address.searchParams.delete(name);
  history.replaceState(null, "", address);
}

// Changes the theme at once; the form is sent in the background, so that the server remembers it.
const themes = document.querySelector("form[data-themes]");
themes?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const theme = event.submitter.value;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.querySelector('meta[name="color-scheme"]').content = theme === "system" ? "light dark" : theme;
  for (const each of themes.querySelectorAll("button")) each.setAttribute("aria-pressed", each === event.submitter);
  await fetch(themes.action, { method: "POST", body: new URLSearchParams({ theme }), redirect: "manual", keepalive: true });
});

// Menus and chips: one is open at a time, a click elsewhere or Escape closes it, and the keyboard is where it was.
const menus = () => [...document.querySelectorAll("details:is(.switch, .menu-chip)[open]")];
document.addEventListener("click", (event) => {
  for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = menus();
  const menu = open.find((each) => each.contains(document.activeElement)) ?? open[0];
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// An address with a fragment opens the fold that it leads to.
const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
const fold = target && (target.matches("details") ? target : target.querySelector("details.action"));
if (fold) fold.open = true;

// A choice in a chip applies at once.
for (const form of document.querySelectorAll("form[data-apply]")) {
  form.querySelector("[type=submit]").hidden = true;
  form.addEventListener("change", () => form.requestSubmit());
}

// Says once a session that answers are made up.
const notice = document.querySelector("[data-notice]");
if (notice && !sessionStorage.getItem(notice.dataset.notice)) {
  sessionStorage.setItem(notice.dataset.notice, "seen");
  notice.hidden = false;
}

// ⌘K or Ctrl+K: the page of everything one can jump to, as a dialog whose list follows what is typed.
const jump = document.querySelector("a[data-jump]");
if (jump) {
  let dialog;
  const load = async (query) => {
    const address = new URL(jump.href);
    address.searchParams.set("q", query);
    return new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
  };
  const open = async () => {
    if (dialog?.open) return;
    if (!dialog) {
      const page = await load("");
      const field = page.querySelector("#jump-to");
      if (!field) return location.assign(jump.href);
      let list = page.querySelector("#jump-list");
      let at = 0;
      const mark = (next) => {
        const links = [...list.querySelectorAll("a")];
        links[at]?.classList.remove("at");
        at = Math.min(Math.max(next, 0), links.length - 1);
        links[at]?.classList.add("at");
        links[at]?.scrollIntoView({ block: "nearest" });
      };
      field.setAttribute("aria-label", field.placeholder);
      field.addEventListener("input", async () => {
        const typed = field.value;
        const found = (await load(typed)).querySelector("#jump-list");
        if (typed !== field.value || !found) return;
        list.replaceWith(found);
        list = found;
        mark(0);
      });
      dialog = document.createElement("dialog");
      dialog.className = "jump-dialog";
      dialog.setAttribute("aria-label", jump.textContent.trim());
      dialog.append(field, list);
      dialog.addEventListener("keydown", (event) => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") mark(at + (event.key === "ArrowDown" ? 1 : -1));
        else if (event.key === "Enter") list.querySelector("a.at")?.click();
        else return;
        event.preventDefault();
      });
      document.body.append(dialog);
      mark(0);
    }
    dialog.showModal();
    dialog.querySelector("input").select();
  };
  jump.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey) return;
    event.preventDefault();
    open();
  });
}

// A square of the map opens what its answer said in a panel at the side.
const readPanel = async (path) => {
  const page = new DOMParser().parseFromString(await (await fetch(path)).text(), "text/html");
  return page.querySelector("[data-panel-content]");
};
document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[data-panel]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const content = await readPanel(link.href).catch(() => null);
  if (!content) return location.assign(link.href);
  const dialog = document.createElement("dialog");
  dialog.className = "side-panel";
  dialog.setAttribute("aria-labelledby", content.querySelector("h1").id);
  const close = document.createElement("button");
  close.type = "button";
  close.className = "plain";
  close.textContent = "×";
  close.setAttribute("aria-label", texts.dismiss);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => { dialog.remove(); link.focus(); });
  dialog.addEventListener("click", (click) => { if (click.target === dialog) dialog.close(); });
  dialog.append(close, content);
  document.body.append(dialog);
  dialog.showModal();
});

// "/" focuses the search field of a page.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, textarea, select, [contenteditable]")) return;
  const search = document.querySelector('main input[type="search"]');
  if (!search) return;
  event.preventDefault();
  search.focus();
});

// Prevents a double click from sending a form twice.
for (const form of document.querySelectorAll("main form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});
