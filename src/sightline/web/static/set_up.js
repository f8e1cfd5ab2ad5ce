// Counts the answers of a week while prompts are typed. Without a script, the "Count again" button does it.
const form = document.getElementById("set-up");
const field = (name) => form.elements.namedItem(name);
const summary = form.querySelector("[data-summary]");
const over = form.querySelector("[data-over]");
const { daily, once, room } = form.dataset;
const put = (name, text) => { form.querySelector(`[${name}]`).textContent = text; };

// Counts countries as the server reads them: commas separate names, and between codes a space is enough.
function countries(text) {
  const parts = text.split(/[,;\n]/).map((part) => part.trim().toUpperCase()).filter(Boolean);
  return new Set(parts.flatMap((part) => (/^\w\w( +\w\w)+$/.test(part) ? part.split(/ +/) : [part]))).size;
}

// Ticked suggestions and typed lines, each text once.
function texts() {
  const typed = field("prompts").value.split("\n").map((line) => line.trim()).filter(Boolean);
  const ticked = [...form.querySelectorAll("[name=accepted]:checked")].map((box) => box.value);
  return new Set([...ticked, ...typed]).size;
}

// On the Free plan nothing can be chosen: all platforms are asked.
function asked() {
  const boxes = form.querySelectorAll("[name=platform]");
  return boxes.length ? form.querySelectorAll("[name=platform]:checked").length : Number(form.dataset.platforms);
}

const say = (number, one) => `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;

function count() {
  const [number, markets, platforms] = [texts(), countries(field("countries").value), asked()];
  const prompts = number * Math.max(1, markets);
  const full = prompts * platforms;
  const each = Math.min(prompts, daily) * platforms;
  const strong = document.createElement("strong");
  put("data-texts", number);
  put("data-markets", markets || "none, asked once");
  put("data-asked", platforms);
  if (!number) {
    summary.textContent = "Choose or write a prompt to see the number of answers.";
  } else if (once === "1") {
    strong.textContent = say(full, "answer");
    summary.replaceChildren(strong, `, once: ${say(prompts, "prompt")} on ${say(platforms, "platform")}. The Free plan runs one audit and no weekly checks.`);
  } else {
    strong.textContent = `${say(full + 6 * each, "answer")} a week`;
    summary.replaceChildren(strong, `: ${full} in the Full Check (${say(prompts, "prompt")} on ${say(platforms, "platform")}), and ${each} in each of six Daily Checks (${say(Math.min(prompts, daily), "prompt")}).`);
  }
  over.hidden = prompts <= Number(room);
}

form.addEventListener("input", count);
form.querySelector("[data-count]").hidden = true;
form.querySelector("[name=go][value=all]")?.addEventListener("click", (event) => {
  event.preventDefault();
  for (const box of form.querySelectorAll("[name=accepted]")) box.checked = true;
  count();
});
