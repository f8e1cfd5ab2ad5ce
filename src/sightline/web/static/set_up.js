// Counts the answers of a week while prompts are typed. Without a script, the "Recalculate" button does it.
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

// The texts are in the page, in its language, with placeholders in braces and both forms of a counted word.
const write = (number) => number.toLocaleString(document.documentElement.lang);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const say = (number, forms) => fill(forms.split("|")[number === 1 ? 0 : 1], { number: write(number) });

function summarize(values) {
  const [, before, total, after] = /^(.*)<strong>(.*)<\/strong>(.*)$/s.exec(fill(summary.dataset.text, values));
  const strong = document.createElement("strong");
  strong.textContent = total;
  summary.replaceChildren(before, strong, after);
}

function count() {
  const [number, markets, platforms] = [texts(), countries(field("countries").value), asked()];
  const prompts = number * Math.max(1, markets);
  const full = prompts * platforms;
  const each = Math.min(prompts, daily) * platforms;
  const words = summary.dataset;
  put("data-texts", number);
  put("data-markets", markets || form.querySelector("[data-markets]").dataset.none);
  put("data-asked", platforms);
  if (!number) {
    summary.textContent = words.empty;
  } else {
    summarize({
      answers: say(once === "1" ? full : full + 6 * each, words.answers),
      full: write(full),
      prompts: say(prompts, words.prompts),
      platforms: say(platforms, words.platforms),
      daily: write(each),
      daily_prompts: say(Math.min(prompts, daily), words.prompts),
    });
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
