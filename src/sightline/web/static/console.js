// Shows the cost of a scan while its form is filled in. Without a script, the preview shows it.
for (const form of document.querySelectorAll("form[data-price]")) {
  const total = form.querySelector("[data-total]");
  const { price, balance, most, cost, costAnswers, missing, tooMany } = form.dataset;
  const write = (number) => number.toLocaleString(document.documentElement.lang);
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => write(values[name]));
  const tell = () => {
    const platforms = form.querySelectorAll('input[name="platforms"]:checked').length;
    const prompts = form.elements.keywords.value.split("\n").filter((line) => line.trim()).length;
    const needed = platforms * Number(price);
    const left = Number(balance) - needed;
    const texts = [fill(prompts ? costAnswers : cost, { platforms, answers: prompts * platforms, cost: needed, left: Math.max(0, left) })];
    if (left < 0) texts.push(fill(missing, { missing: -left }));
    if (prompts > Number(most)) texts.push(fill(tooMany, { most: Number(most) }));
    total.textContent = texts.join(" ");
    total.classList.toggle("wrong", texts.length > 1);
  };
  form.addEventListener("input", tell);
  tell();
}
