/** The running product that the journeys walk through: the site, and the CRM sandbox behind it. */
import { expect } from "@playwright/test";

function address(name: "BASE_URL" | "SANDBOX_URL" | "FLOWER_URL", example: string): string {
  const value = process.env[name];
  if (!value) {
    throw new Error(`${name} is missing. Start the product, then run: ${name}=${example} npm run e2e`);
  }
  return value;
}

export const baseUrl = () => address("BASE_URL", "http://127.0.0.1:8000");
export const flowerUrl = () => address("FLOWER_URL", "http://127.0.0.1:5555");

type CrmRecord = Record<string, unknown>;

async function records(query: Record<string, string>): Promise<CrmRecord[]> {
  const url = new URL("/_sandbox/records", address("SANDBOX_URL", "http://127.0.0.1:8900"));
  url.search = new URLSearchParams(query).toString();
  const response = await fetch(url);
  const body = (await response.json()) as { records: CrmRecord[] };
  return body.records;
}

/** The CRM's only record that fits the query, waited for. */
export async function crmRecord(query: Record<string, string>): Promise<CrmRecord> {
  let found: CrmRecord[] = [];
  const count = async () => {
    found = await records(query);
    return found.length;
  };
  await expect.poll(count, { timeout: 30_000, message: `CRM records for ${JSON.stringify(query)}` }).toBe(1);
  return found[0] ?? {};
}

/** An address no other test uses. */
export const freshEmail = () => `visitor-${crypto.randomUUID()}@example.com`;
