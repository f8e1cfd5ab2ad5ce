// Counts the answers of a week while prompts are typed. Without a script, the "Count again" button does it.
const form = document.getElementById("set-up");
const field = (name) => form.elements.namedItem(name);
const summary = form.querySelector("[data-summary]");
const over = form.querySelector("[data-over]");
const { platforms, daily, once, room } = form.dataset;

// Counts countries as the server reads them: commas separate names, and between codes a space is enough.
function countries(text) {
  const parts = text.split(/[,;\n]/).map((part) => part.trim().toUpperCase()).filter(Boolean);
  return new Set(parts.flatMap((part) => (/^\w\w( +\w\w)+$/.test(part) ? part.split(/ +/) : [part]))).size;
}

function distinct(text, separator) {
  return new Set(text.split(separator).map((part) => part.trim()).filter(Boolean)).size;
}

const say = (number, one) => `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;

function count() {
  const texts = distinct(field("prompts").value, "\n");
  const prompts = texts * Math.max(1, countries(field("countries").value));
  const full = prompts * platforms;
  const each = Math.min(prompts, daily) * platforms;
  const strong = document.createElement("strong");
  if (!texts) {
    summary.textContent = "Comes with the prompts.";
  } else if (once === "1") {
    strong.textContent = say(full, "answer");
    summary.replaceChildren(strong, `, once: ${say(prompts, "prompt")} on ${say(Number(platforms), "platform")}. The Free plan runs one audit and no weekly checks.`);
  } else {
    strong.textContent = `${say(full + 6 * each, "answer")} a week`;
    summary.replaceChildren(strong, `: ${full} in the Full Check (${say(prompts, "prompt")} on ${say(Number(platforms), "platform")}), and ${each} in each of six Daily Checks (${say(Math.min(prompts, daily), "prompt")}).`);
  }
  over.hidden = prompts <= Number(room);
}

form.addEventListener("input", count);
form.querySelector("[data-count]").hidden = true;
