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
