/** A few addresses of the shared table, walked from the click on an advertisement to the CRM's record. */
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type Case, caseNamed, table } from "./support/attributionTable";
import { FormBlock } from "./support/form";
import { crmRecord, freshEmail } from "./support/product";

const FIRST_AND_LAST = "a later campaign: the earlier one is the first, and nothing of it is mixed in";

/** Each visit in a tab of its own: another session, the same browser. Gives the last one. */
async function visit(context: BrowserContext, { visits }: Case): Promise<Page> {
  let page: Page | null = null;
  for (const { path, referrer } of visits) {
    await page?.close();
    page = await context.newPage();
    await page.goto(path, { referer: referrer });
    await page.waitForLoadState("load");
  }
  if (page === null) {
    throw new Error("The case has no visit");
  }
  return page;
}

/** The table's record, at the address where the product runs. */
function atHome(fields: Record<string, string>, origin: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value.replace(table.origin, origin)]),
  );
}

function campaignFields(record: Record<string, unknown>): Record<string, unknown> {
  const names = [...Object.values(table.crm), ...Object.values(table.crmFirst)];
  const times = [table.crm.timestamp, table.crmFirst.timestamp];
  return Object.fromEntries(
    names
      .filter((name) => !times.includes(name) && record[name] !== undefined && record[name] !== null)
      .map((name) => [name, record[name]]),
  );
}

for (const name of [
  "the utm names of all parameters",
  "Turkish letters, percent-encoded",
  "a later visit without parameters",
  FIRST_AND_LAST,
]) {
  test(`an enquiry brings its campaign to the CRM: ${name}`, async ({ context, baseURL }) => {
    const expected = caseNamed(name);
    const page = await visit(context, expected);
    const email = freshEmail();
    const form = new FormBlock(page);
    await form.ready();
    await form.send(email);
    const record = await crmRecord({ Email: email });
    expect(campaignFields(record)).toEqual(atHome(expected.crm, baseURL ?? ""));
    expect(record.Ads_Timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(String(record.First_Touch_At) <= String(record.Ads_Timestamp)).toBe(true);
  });
}

test("a tap on WhatsApp brings the same fields", async ({ context, baseURL }) => {
  await context.route("https://wa.me/**", (route) => route.fulfill({ body: "chat" }));
  const expected = caseNamed(FIRST_AND_LAST);
  const page = await visit(context, expected);
  const opened = context.waitForEvent("page");
  await page.locator("[data-chat-source='hero-section-landing']").click();
  const text = new URL((await opened).url()).searchParams.get("text") ?? "";
  const record = await crmRecord({ Last_Name: `WhatsApp ${text.slice(0, 7)}` });
  expect(campaignFields(record)).toEqual(atHome(expected.crm, baseURL ?? ""));
});
