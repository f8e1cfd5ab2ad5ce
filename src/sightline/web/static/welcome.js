// Creates the first owner and shows the keys, once.
import { addCopyButton } from "./copy.js";

const byId = (id) => document.getElementById(id);
const form = byId("bootstrap");
const refusal = byId("refusal");
const button = form.querySelector("button");

const OPENS = {
  "console live": "Opens the Console API with live data.",
  "console test": "Opens the Console API with test data. Start with this one.",
  "data live": "Opens the Data API.",
};

function refuse(message, errors = []) {
  for (const { field, message: fault } of errors) {
    const input = form.elements[field];
    if (!input) continue;
    input.setAttribute("aria-invalid", "true");
    byId(`${field}-hint`).textContent = fault;
  }
  refusal.textContent = message.replaceAll("`", "");
  refusal.hidden = false;
  refusal.focus();
}

function clearRefusal() {
  refusal.hidden = true;
  for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
}

function showKey({ name, kind, mode, scopes, key }) {
  const row = byId("key").content.cloneNode(true);
  const pre = row.querySelector("pre");
  row.querySelector("h2").textContent = name;
  row.querySelector("p").textContent = OPENS[`${kind} ${mode}`] + (scopes.includes("write") ? " It may also write." : "");
  row.querySelector("code").textContent = key;
  pre.setAttribute("aria-label", name);
  addCopyButton(pre);
  byId("keys").append(row);
}

function welcome({ user, workspace, keys }) {
  byId("done-title").textContent = `Welcome to ${workspace.name}, ${user.name || user.email}`;
  keys.forEach(showKey);
  byId(keys.length ? "fresh" : "known").hidden = false;
  byId("create").hidden = true;
  byId("done").hidden = false;
  byId("done-title").focus();
  history.replaceState(null, "", "/welcome"); // the token is used: it need not stay in the address
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  clearRefusal();
  button.disabled = true;
  try {
    const response = await fetch("/api/v1/console/account/bootstrap", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    });
    const answer = await response.json();
    if (response.ok) welcome(answer.data);
    else refuse(answer.errors?.length ? "Please mend the fields marked below." : answer.detail, answer.errors);
  } catch {
    refuse("The service did not answer. Nothing is lost: try again in a moment.");
  } finally {
    button.disabled = false;
  }
});

form.hidden = false;
document.querySelectorAll("pre[data-copy]").forEach(addCopyButton);
