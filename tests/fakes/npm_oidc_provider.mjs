// An identity provider that others wrote: npm's `oidc-provider`, as its own defaults have it.
// `node npm_oidc_provider.mjs PORT REDIRECT_URI`, with the folder of the package in OIDC_PROVIDER. Everybody is who they say.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [port, redirectUri] = process.argv.slice(2);
const found = createRequire(`${process.env.OIDC_PROVIDER}/`).resolve("oidc-provider");
const { default: Provider } = await import(pathToFileURL(found));
const provider = new Provider(`http://127.0.0.1:${port}`, {
  claims: { email: ["email", "email_verified"], profile: ["name"] },
  clients: [{ client_id: "sightline", client_secret: "s3cret & more", redirect_uris: [redirectUri] }],
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, email: sub, email_verified: true, name: "Ada" }) }),
});
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));
