/** What leaves the browser with consent and without: a whole visit, on a site whose tags are configured. */
import { type BrowserContext, expect, type Locator, type Page, type Request, type Route, test } from "@playwright/test";
import { violationsOf } from "./support/axe";
import { FormBlock } from "./support/form";
import { type OwnSite, startOwnSite } from "./support/ownSite";
import { layoutShift } from "./support/page";
import { crmRecord, freshEmail } from "./support/product";

/** Late enough that calls have to wait for a script. */
const SCRIPT_DELAY_MS = 400;

/** What the scripts do here: pass on every call, those that waited in the queue first. */
const SCRIPTS: Record<string, string> = {
  "/gtag/js": `
    const waiting = window.dataLayer.splice(0);
    const pass = (call) => send("google", [...call]);
    window.dataLayer.push = pass;
    waiting.forEach(pass);`,
  "/en_US/fbevents.js": `
    const pass = (...call) => send("meta", call);
    window.fbq.callMethod = pass;
    window.fbq.queue.splice(0).forEach((call) => pass(...call));`,
};

/** `page`: the address bar at that moment, which the real scripts read. */
const SEND = `
  const home = new URL(document.currentScript.src).origin;
  const send = (tag, call) => fetch(home + "/told", { method: "POST", mode: "no-cors", keepalive: true,
    body: JSON.stringify({ tag, call, page: location.href }) });`;

interface Told {
  tag: "google" | "meta";
  call: unknown[];
  page: string;
}

interface Sink {
  told: Told[];
  /** Paths of the scripts that were asked for, with their queries. */
  scripts: string[];
}

/** Stands where Google's and Meta's servers are, for every page of the context: hands out their scripts, keeps what they are told. */
async function openSink(context: BrowserContext): Promise<Sink> {
  const sink: Sink = { told: [], scripts: [] };
  const answer = async (route: Route): Promise<void> => {
    const { pathname, search } = new URL(route.request().url());
    const script = SCRIPTS[pathname];
    if (script) {
      sink.scripts.push(pathname + search);
      await new Promise((resolve) => setTimeout(resolve, SCRIPT_DELAY_MS));
      await route.fulfill({ contentType: "text/javascript", body: `(() => {${SEND}${script}})();` });
      return;
    }
    sink.told.push(JSON.parse(route.request().postData() ?? ""));
    await route.fulfill({ status: 204 });
  };
  await context.route("https://www.googletagmanager.com/**", answer);
  await context.route("https://connect.facebook.net/**", answer);
  return sink;
}

const IDS = { ads: "AW-1000000000/e2e", analytics: "G-E2E0000000", pixel: "100000000000001" };
let sink: Sink;
let site: OwnSite;
// One after another: a site is started for all of them.
test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  site = await startOwnSite({
    GOOGLE_ADS_CONVERSION: IDS.ads,
    ANALYTICS_ID: IDS.analytics,
    META_PIXEL_ID: IDS.pixel,
    ATTRIBUTION_STORAGE: "after-consent",
  });
});
test.afterAll(() => site.close());
test.beforeEach(async ({ context }) => {
  sink = await openSink(context);
});

const ARRIVAL = "/?gclid=e2e-consent&utm_source=google&email=ada%40example.com&utm_term=all+on+4";
const banner = (page: Page) => page.getByRole("region", { name: /^Cookies/ });
const choose = (page: Page, name: string) => banner(page).getByRole("button", { name }).click();
const kept = (page: Page) => page.evaluate(() => localStorage.getItem("google_ads_data"));
const events = (tag: Told["tag"], name: string) =>
  sink.told.filter(
    ({ tag: of, call }) => of === tag && ["event", "track"].includes(String(call[0])) && call[1] === name,
  );

/** Home, the list of countries, the film, an enquiry, the thank-you page and both links there. */
async function visit(
  page: Page,
  answer: string,
): Promise<{ asked: Request[]; email: string; posted: unknown; tapped: Record<string, unknown> }> {
  const asked: Request[] = [];
  page.on("request", (request) => asked.push(request));
  const email = freshEmail();
  await page.context().route("https://wa.me/**", (route) => route.fulfill({ body: "chat" }));
  await page.goto(site.url + ARRIVAL);
  await choose(page, answer);
  await expect(banner(page)).toBeHidden();
  const section = page.locator("#how-an-implant-works");
  await section.scrollIntoViewIfNeeded();
  const film = section.locator("video");
  await section.getByRole("button", { name: /^Play video/ }).click();
  await expect(film).toBeFocused();
  const form = new FormBlock(page);
  await form.root.scrollIntoViewIfNeeded();
  await form.fill(email);
  await form.field("Your Questions").fill("Is All-on-4 right for me?");
  const post = page.waitForRequest("**/api/leads");
  await form.submit.click();
  const posted = (await post).postDataJSON();
  await expect(page).toHaveURL(/\/thank-you\?reference=\d{6}/);
  // Opening the chat is the visitor's own step to another site, in a tab of its own.
  const tap = page.waitForRequest("**/api/whatsapp-click");
  await page.getByRole("main").getByRole("link", { name: "WhatsApp", exact: true }).click();
  return { asked, email, posted, tapped: (await tap).postDataJSON() };
}

test("a visit that refuses speaks to its own site alone, and its enquiry says so", async ({ page, context }) => {
  const { asked, email, posted, tapped } = await visit(page, "No");
  expect(tapped.analyticsClickId).toBeNull();
  await page.waitForLoadState("networkidle");
  const strangers = asked.map((request) => new URL(request.url()).origin).filter((origin) => origin !== site.url);
  expect(asked.length).toBeGreaterThan(20);
  expect(strangers).toEqual([]);
  expect(sink.told).toEqual([]);
  expect(await context.cookies()).toEqual([]);
  expect(await kept(page)).toBeNull();
  expect(posted).toMatchObject({ consentChoice: { analytics: false, advertising: false } });
  const record = await crmRecord({ Email: email });
  expect(record).toMatchObject({ Consent_Choice: "advertising no, analytics no" });
});

test("a visit that accepts tells each tag once, with nothing personal", async ({ page }) => {
  const { email, posted, tapped } = await visit(page, "Yes");
  const { eventId, consentVersion } = posted as { eventId: string; consentVersion: string };
  await expect.poll(() => events("google", "whatsapp_click").length).toBe(1);
  const record = await crmRecord({ Email: email });
  expect(record).toMatchObject({
    Browser_Event_ID: eventId,
    Consent_Version: consentVersion,
    Consent_Choice: "advertising yes, analytics yes",
  });
  expect(String(record.Consent_At)).toMatch(/^20\d\d-/);
  expect(sink.scripts).toEqual([`/gtag/js?id=${IDS.analytics}`, "/en_US/fbevents.js"]);
  const [conversion] = events("google", "conversion").map(({ call }) => call[2]);
  expect(conversion).toMatchObject({ send_to: IDS.ads, transaction_id: record.Website_Event_ID });
  expect(events("meta", "Lead").map(({ call }) => call[3])).toEqual([{ eventID: eventId }]);
  for (const name of ["conversion", "page_view", "whatsapp_click"]) {
    expect(events("google", name), name).toHaveLength(1);
  }
  expect(tapped.analyticsClickId).toBe(tapped.eventId);
  expect(await crmRecord({ WhatsApp_Code: String(tapped.uniqueCode) })).toMatchObject({
    Analytics_Click_ID: tapped.eventId,
  });
  expect(JSON.stringify(sink.told)).not.toMatch(/Ada|example\.com|07911|all.on.4|\[[A-Z0-9]{5}\]/i);
  expect(await kept(page)).toContain("e2e-consent");

  sink.told.length = 0;
  await page.reload();
  await expect.poll(() => events("google", "page_view").length).toBe(1);
  expect([...events("google", "conversion"), ...events("meta", "Lead")]).toEqual([]);
});

test("the question is a line above the bottom bar, away while somebody types", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${site.url}/journey`);
  const bar = page.getByRole("complementary", { name: "Get in touch" });
  await expect(bar).toBeVisible();
  await expect(banner(page)).toBeVisible();
  const boxOf = async (place: Locator) => (await place.boundingBox()) ?? { y: 0, height: 999 };
  const { height } = await boxOf(banner(page));
  expect(height).toBeLessThanOrEqual(72);
  await expect.poll(async () => Math.round((await boxOf(bar)).y - (await boxOf(banner(page))).y - height)).toBe(0);
  await new FormBlock(page).field("Name").focus();
  await expect(banner(page)).toBeHidden();
  await new FormBlock(page).field("Name").blur();
  await choose(page, "No");
  await expect(banner(page)).toHaveCount(0);
});

for (const viewport of [
  { width: 320, height: 568 },
  { width: 1280, height: 800 },
]) {
  test(`at ${viewport.width} px the question hides nothing that has focus, and moves nothing`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(`${site.url}/before-you-decide`);
    await expect(banner(page)).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await expect(banner(page).getByRole("button", { name: "No", exact: true })).toBeFocused();
    for (let press = 0; press < 25; press += 1) {
      await page.keyboard.press("Tab");
      await expect.poll(() => page.evaluate(hiddenFocus)).toBeNull();
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    expect(await layoutShift(page)).toBeLessThan(0.01);
  });
}

/** What has focus and lies wholly under something else, if anything does. */
function hiddenFocus(): string | null {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) {
    return null;
  }
  const { left, top, width, height } = focused.getBoundingClientRect();
  const seen = [0.1, 0.5, 0.9].some((share) => {
    const on = document.elementFromPoint(left + width / 2, top + height * share);
    return on !== null && (focused.contains(on) || on.contains(focused));
  });
  return seen ? null : focused.outerHTML.slice(0, 120);
}
