// A program that uses the types that openapi-typescript generates. It only has to compile, strictly.
import type { components, paths, webhooks } from "./sightline";

type Schemas = components["schemas"];

// Optional members may be left out.
export const scan: Schemas["ScanInput"] = { domain_id: "01990f6a-2c40-7b3e-9d51-6f0a8c2e4b17" };
export const key: Schemas["KeyInput"] = { name: "Nightly scans" };
export const webhook: Schemas["WebhookInput"] = { url: "https://hooks.acme.com/sightline" };
export const prompt: Schemas["PromptInput"] = { prompt: "best anvil" };

// The type of an event decides its data.
type WebhookEvent = { [Type in keyof webhooks]: webhooks[Type]["post"]["requestBody"]["content"]["application/json"] }[keyof webhooks];
export function describe(event: WebhookEvent): string {
  switch (event.type) {
    case "scan.completed":
      return event.data.results_url;
    case "credits.low":
      return `${event.data.balance} of ${event.data.threshold}`;
    default:
      return event.data.workspace_id;
  }
}

// The status of an error decides its codes and members.
type Submit = paths["/api/v1/console/scans"]["post"]["responses"];
type SubmitError = Submit[402 | 409 | 422]["content"]["application/problem+json"];
export function explain(error: SubmitError): string {
  if (error.status === 402) return `${error.required_credits} credits are required`;
  if (error.status === 409) return error.code === "scan_in_progress" ? `wait for ${error.active_scan_id}` : error.detail;
  return error.errors?.map((each) => `${each.field} ${each.message}`).join(", ") ?? error.detail;
}
