// Keeps the fields of a form in this tab until the next page shows that it was received. If the session had ended, the
// sign-in page says so, and after signing in the same person can restore the form. Passwords, keys, secrets, files and
// hidden fields are never kept, and signing out forgets everything.
const KEY = "unsent form";
const LIFETIME = 3_600_000; // an hour
const NOT_KEPT = ["hidden", "password", "file", "submit", "button", "reset", "image"];
const SECRET = /(^|_)(password|key|secret|token)$/;

const user = document.body.dataset.user; // nobody on the sign-in page

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}

function keep(form) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(form));
  } catch {
    forget(); // the storage is full or switched off
  }
}

function forget() {
  try {
    sessionStorage.removeItem(KEY);
  } catch {} // switched off
}

const toPath = (target) => new URL(target ?? "", location.href).pathname;
const isBox = (control) => control.type === "checkbox" || control.type === "radio";

function listControls(form) {
  const named = [...form.querySelectorAll("input[name], textarea[name], select[name]")];
  return named.filter((control) => !control.readOnly && !NOT_KEPT.includes(control.type) && !SECRET.test(control.name));
}

function readFields(form) {
  const fields = {};
  for (const control of listControls(form)) {
    if (isBox(control) && !control.checked) continue;
    const chosen = control.selectedOptions ?? [control];
    (fields[control.name] ??= []).push(...[...chosen].map((each) => each.value));
  }
  return fields;
}

function findForm({ action, fields }) {
  const count = (form) => listControls(form).filter((control) => control.name in fields).length;
  const targets = (form) => [form.getAttribute("action"), ...[...form.querySelectorAll("[formaction]")].map((each) => each.getAttribute("formaction"))];
  const found = [...document.querySelectorAll("form[method=post]")].filter((form) => targets(form).map(toPath).includes(action));
  return found.sort((one, other) => count(other) - count(one))[0];
}

function fill(form, fields) {
  for (const control of listControls(form)) {
    const values = fields[control.name] ?? [];
    if (isBox(control)) control.checked = values.includes(control.value);
    else if (control.options) for (const option of control.options) option.selected = values.includes(option.value);
    else if (values.length) control.value = values.shift();
    if (values.length || control.value) for (let fold = control.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
  }
  const dialog = form.closest("dialog");
  if (dialog && !dialog.open) dialog.showModal();
  listControls(form)[0]?.focus();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
  const action = toPath(event.submitter?.getAttribute("formaction") ?? form.getAttribute("action"));
  const fields = readFields(form);
  if (action === "/sign-out" || (user && !Object.keys(fields).length)) forget();
  else if (user) keep({ user, action, fields, at: Date.now() });
});

const kept = read();
if (document.querySelector("[data-unsent]")) {
  if (kept) keep({ ...kept, isUnsent: true });
} else if (!kept?.isUnsent || Date.now() - kept.at > LIFETIME || (user && user !== kept.user)) {
  forget();
} else {
  const form = user && findForm(kept);
  const offer = document.querySelector("[data-restore]");
  if (form && offer) {
    offer.hidden = false;
    offer.querySelector("button").addEventListener("click", () => {
      offer.remove();
      fill(form, kept.fields);
      forget();
    });
  }
}
