// Fills in the words that are selected in an answer, so that a missed name need not be typed.
const form = document.getElementById("missing");

document.addEventListener("selectionchange", () => {
  const selection = document.getSelection();
  const words = selection.toString().trim();
  if (!form || !words || words.length > 200 || !document.querySelector(".said")?.contains(selection.anchorNode)) return;
  const node = selection.getRangeAt(0).startContainer;
  const line = (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement).closest("[data-start]");
  form.elements.words.value = words;
  form.elements.line.value = line?.dataset.start ?? "";
});
