// Shows the cost of a scan while its form is filled in. Without a script, the preview shows it.
for (const form of document.querySelectorAll("form[data-price]")) {
  const total = form.querySelector("[data-total]");
  const { price, balance, most } = form.dataset;
  const say = (number, one) => `${number.toLocaleString("en")} ${number === 1 ? one : `${one}s`}`;
  const tell = () => {
    const chosen = form.querySelectorAll('input[name="platforms"]:checked').length;
    const prompts = form.elements.keywords.value.split("\n").filter((line) => line.trim()).length;
    const cost = chosen * Number(price);
    const left = Number(balance) - cost;
    const answers = prompts ? ` for ${say(prompts * chosen, "answer")}` : "";
    total.textContent = `${say(chosen, "platform")} chosen: ${say(cost, "credit")}${answers}. `
      + (left < 0 ? `The balance lacks ${say(-left, "credit")}.` : `${say(left, "credit")} are left afterwards.`)
      + (prompts > Number(most) ? ` At most ${most} prompts fit into one scan.` : "");
    total.classList.toggle("wrong", left < 0 || prompts > Number(most));
  };
  form.addEventListener("input", tell);
  tell();
}
