// Adds a copy button next to every <pre data-copy>.

export function addCopyButton(pre) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  const label = pre.getAttribute("aria-label");
  if (label) button.setAttribute("aria-label", `Copy: ${label}`);
  button.addEventListener("click", async () => {
    button.textContent = (await copy(pre)) ? "Copied" : "Selected";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
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
