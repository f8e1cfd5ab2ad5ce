// What the Console adds to pages that work without it: the cost as one chooses, and copying what is shown once.
import { addCopyButton } from "./copy.js";

for (const pre of document.querySelectorAll("pre[data-copy]")) addCopyButton(pre);

for (const form of document.querySelectorAll("form[data-price]")) {
  const total = form.querySelector("[data-total]");
  const say = () => {
    const chosen = form.querySelectorAll('input[name="platforms"]:checked').length;
    const credits = chosen * Number(form.dataset.price);
    total.textContent = `${chosen} chosen: ${credits} ${credits === 1 ? "credit" : "credits"}.`;
  };
  form.addEventListener("change", say);
  say();
}
