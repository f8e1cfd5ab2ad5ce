// Counts the answers and the cost of a week while prompts and platforms are chosen. Without a script, a button does it.
const form = document.getElementById("set-up");
const field = (name) => form.elements.namedItem(name);
const summary = form.querySelector("[data-summary]");
const answers = form.querySelector("[data-answers]");
const costs = [...form.querySelectorAll("[data-cost-of]")];
const samples = [...form.querySelectorAll("[data-from]")];
const { daily, once, room } = form.dataset;

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

// The texts are in the page, in its language, with placeholders in braces and both forms of a counted word.
const language = document.documentElement.lang;
const write = (number) => number.toLocaleString(language);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const say = (number, forms) => fill(forms.split("|")[number === 1 ? 0 : 1], { number: write(number) });

function count() {
  // On the Free plan nothing can be chosen: all platforms are asked.
  const boxes = [...form.querySelectorAll("[name=platform]")];
  const chosen = boxes.filter((box) => box.checked);
  const platforms = boxes.length ? chosen.length : Number(form.dataset.platforms);
  const prompts = texts() * Math.max(1, countries(field("countries").value));
  const each = prompts + (once === "1" ? 0 : 6 * Math.min(prompts, daily));
  answers.textContent = say(each * platforms, answers.dataset.answers);
  summary.textContent = fill(summary.dataset.text, {
    full: write(prompts * platforms),
    prompts: say(prompts, summary.dataset.prompts),
    platforms: say(platforms, summary.dataset.platforms),
    daily: write(Math.min(prompts, daily) * platforms),
    daily_prompts: say(Math.min(prompts, daily), summary.dataset.prompts),
  });
  if (boxes.length) {
    const answer = chosen.reduce((sum, box) => sum + Number(box.dataset.cost ?? 0), 0);
    const answersOf = { check: prompts, week: each, month: each * form.dataset.weeksOfMonth };
    for (const cost of costs) {
      const dollars = answer * answersOf[cost.dataset.costOf];
      cost.textContent = `${dollars.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })} USD`;
    }
  }
  const sample = samples.findLast((text) => text.dataset.from <= Math.max(1, prompts));
  for (const text of samples) text.hidden = text !== sample;
  form.querySelector("[data-over]").hidden = prompts <= Number(room);
}

// What a platform has read from the website, when it arrives. It replaces nothing that somebody typed.
function fillIn(said) {
  for (const name of ["brand_name", "category", "competitors"]) {
    const input = field(name);
    if (said[name] && input.value === input.defaultValue) input.value = said[name];
  }
}

form.addEventListener("input", ({ target }) => {
  if (target.id === "suggested") fillIn(target.dataset);
  count();
});
