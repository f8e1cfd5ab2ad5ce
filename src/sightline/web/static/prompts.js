// Forms of prompts: country pickers, the size of a file before it is sent, and Enter in the field of one prompt.
for (const picker of document.querySelectorAll("select[data-adds-to]")) {
  const field = document.getElementById(picker.dataset.addsTo);
  picker.hidden = false;
  picker.addEventListener("change", () => {
    if (!picker.value) return;
    const names = field.value.split(/[,;]/).map((name) => name.trim()).filter(Boolean);
    if (!names.includes(picker.value)) names.push(picker.value);
    field.value = names.join(", ");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    picker.value = "";
  });
}

const file = document.getElementById("file");
const { maxBytes, tooLarge } = document.getElementById("import")?.dataset ?? {};
file?.addEventListener("change", () => {
  const size = file.files[0]?.size ?? 0;
  file.setCustomValidity(size > Number(maxBytes) ? tooLarge : "");
  file.reportValidity();
});

const single = document.getElementById("new-prompt");
single?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  single.form.requestSubmit();
});

// Select all prompts of the page. The bar of actions counts what is selected.
const all = document.querySelector("[data-select-all]");
const boxes = [...document.querySelectorAll('input[name="prompt_id"]')];
const selected = document.querySelector("[data-selected]");
const count = () => {
  const number = boxes.filter((box) => box.checked).length;
  document.querySelector(".bulk").classList.toggle("on", number > 0);
  all.checked = number === boxes.length;
  all.indeterminate = number > 0 && !all.checked;
  selected.dataset.number = number || "";
};
if (all && selected) {
  all.hidden = false;
  document.querySelector(".bulk").classList.add("ready");
  count();
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    count();
  });
  for (const box of boxes) box.addEventListener("change", count);
  addEventListener("pageshow", count);
}
