// Adds a copy button next to every <pre data-copy>. Its texts are those of <body>, in the reader's language.

export function addCopyButton(pre) {
  const { copy: label = "Copy", copied = "Copied", selected = "Selected" } = document.body.dataset;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = label;
  const name = pre.getAttribute("aria-label");
  if (name) button.setAttribute("aria-label", `${label}: ${name}`);
  button.addEventListener("click", async () => {
    button.textContent = (await copy(pre)) ? copied : selected;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
  pre.before(button);
}

// The clipboard exists only over https and on localhost; elsewhere the text is selected, one keystroke from copied.
async function copy(pre) {
  try {
    await navigator.clipboard.writeText(pre.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(pre);
    return false;
  }
}
