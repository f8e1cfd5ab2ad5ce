// Makes or uses a passkey when a form with `data-passkey` is sent, and sends the browser's answer with it.
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
const toText = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const readIds = (list) => list?.map((each) => ({ ...each, id: toBytes(each.id) }));

function ask(options) {
  const publicKey = { ...options, challenge: toBytes(options.challenge) };
  if (!options.user) return navigator.credentials.get({ publicKey: { ...publicKey, allowCredentials: readIds(options.allowCredentials) } });
  const user = { ...options.user, id: toBytes(options.user.id) };
  return navigator.credentials.create({ publicKey: { ...publicKey, user, excludeCredentials: readIds(options.excludeCredentials) } });
}

function write(credential) {
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (credential.response[name]) response[name] = toText(credential.response[name]);
  }
  return JSON.stringify({ id: credential.id, rawId: toText(credential.rawId), type: credential.type, response, clientExtensionResults: {} });
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const field = form.elements[form.dataset.passkeyField];
  form.addEventListener("submit", async (event) => {
    if (field.value) return;
    event.preventDefault();
    const failed = form.querySelector("[data-passkey-failed]");
    failed.hidden = true;
    try {
      field.value = write(await ask(JSON.parse(form.dataset.passkey)));
    } catch {
      failed.hidden = false; // canceled, timed out, or not supported
      return;
    }
    form.submit();
  });
}
