/** One visitor who comes to a page for an enquiry, presses at most twice, and what became of it. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { Browser, Page } from "@playwright/test";
import { parse } from "yaml";
import { freshEmail } from "../support/product";
import { type Asked, type FaultyProxy, openProxy, type Rule } from "../support/proxy";

const WORDS = new URL("../../content/lead-form.yaml", import.meta.url);
const { success, failure, limited } = parse(readFileSync(WORDS, "utf8")).form;
/** What stands in the form; a toast of the press before may still be there. */
const SAYS_LOST: string[] = [failure.text, limited.text];

/** On the page, or on the plain page that answers what the browser itself sent. */
const FORM = ":is(#contact-form form, form[action='/enquiry'])";
const LIST = `${FORM} button[aria-haspopup=dialog]`;
const SEARCH = `${FORM} [role=combobox]`;
const SELECT = `${FORM} select[name=countryCode]`;
const SUBMIT = `${FORM} button[type=submit]`;
const HOME = "main a[href='/']";

const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  locale: "en-GB",
  timezoneId: "Europe/London",
};
const STEP_MS = 200;
const KEY_MS = 15;
const PRESS_MS = 5_000;
const TRIES = 3;
const LIST_MS = 3_000;
const ACTION_MS = 6_000;
/** From a message to the second press. */
const READ_MS = 4_000;
const PATIENCE_MS = 15_000;
/** While the button says that it is sending: for 20 s, then the browser sends it, and a page comes. */
const BUSY_PATIENCE_MS = 20_000 + PATIENCE_MS;
/** Less than it is no page. */
const FEWEST_LETTERS = 200;

export interface Conduct {
  path: string;
  javaScript?: boolean;
  /** What is lost from the first request on, and what once the page is there. */
  arriving?: Rule;
  opened?: Rule;
  /** Done right before the first press. */
  pressing?: (proxy: FaultyProxy, page: Page) => Promise<void>;
  presses?: 1 | 2;
  /** Presses the empty form's button before anything is typed. */
  emptyFirst?: boolean;
  /** Follows the thank-you page's link home at the end. */
  thenHome?: boolean;
}

export type Trouble =
  | "lost"
  /** Or without the telephone number, or never painted. */
  | "white"
  /** Says that it was sent and it is not stored, or the other way round, or shows another reference. */
  | "untrue"
  /** Stored, and the visitor does not know. */
  | "not told"
  | "twice"
  /** Stored with another country than was chosen. */
  | "changed";

export interface Outcome {
  troubles: Trouble[];
  seconds: number;
  presses: number;
  /** Whether the browser itself sent the form. */
  native: boolean;
  asked: Asked[];
  /** Of a visit that went wrong: where it ended, and what stood in the form. */
  left: string;
}

/** What the page shows, as a visitor sees it; null while it is still being read, which says nothing yet. */
const look = () =>
  document.readyState === "loading"
    ? null
    : {
        path: location.pathname,
        text: document.body?.innerText ?? "",
        reference: document.querySelector("[data-reference]")?.textContent ?? "",
        busy: document.querySelector("form button[aria-busy=true]") !== null,
        phone: [...document.querySelectorAll("a[href^='tel:']")].some((link) => link.getClientRects().length > 0),
        // Once all has come or failed, nothing keeps the page from being painted; busy browsers do not always note when it was.
        painted:
          document.readyState === "complete" ||
          !PerformanceObserver.supportedEntryTypes.includes("paint") ||
          performance.getEntriesByName("first-contentful-paint").length > 0,
      };
/** As an address and its query. */
const left = () => {
  const fields = [...document.querySelectorAll<HTMLInputElement>("form :is(input:not([type=hidden]), select)")];
  return `${location.pathname}?${fields.map(({ name, value }) => `${name}=${value}`).join("&")}`;
};

type Shown = NonNullable<ReturnType<typeof look>>;
/** Of a page that hangs, or between two pages: there a visitor waits on. */
const NOTHING: Shown = { path: "", text: "", reference: "", busy: true, phone: false, painted: false };

const isWhite = ({ text, phone, painted }: Shown) => text.length < FEWEST_LETTERS || !phone || !painted;
const saysSent = ({ path, text, reference }: Shown) =>
  (path === "/thank-you" && reference !== "") || text.includes(success.description);
const saysLost = ({ text }: Shown) => SAYS_LOST.some((words) => text.includes(words));
/** Nothing more is to come: the visitor has an answer. */
const isAnswered = (shown: Shown) =>
  (shown.path === "/thank-you" && shown.reference !== "") || shown.path === "/enquiry" || saysLost(shown);

/** In a page that hangs nothing answers, and what cannot be done fails. */
const soon = <Result>(action: Promise<Result>, otherwise: Result, ms = ACTION_MS): Promise<Result> =>
  Promise.race([action, pause(ms, otherwise, { ref: false })]).catch(() => otherwise);

const done = (action: Promise<unknown>) =>
  soon(
    action.then(() => true),
    false,
  );

class Enquiry {
  readonly email = freshEmail();
  /** Of the number that fits the country: whoever cannot choose one has a number of the country that is there. */
  phone = "";
  presses = 0;
  white = false;

  constructor(
    readonly page: Page,
    readonly proxy: FaultyProxy,
  ) {}

  async reach(): Promise<void> {
    await soon(this.page.locator(FORM).first().scrollIntoViewIfNeeded(), undefined);
    await this.proxy.quiet();
  }

  async fill(): Promise<void> {
    const chosen = await this.choose();
    this.phone = chosen ? "+905321234567" : "+447911123456";
    const phone = chosen ? "0532 123 45 67" : "07911 123456";
    for (const [field, text] of Object.entries({
      name: "Ada",
      surname: "Example",
      email: this.email,
      phone,
    })) {
      await this.type(`${FORM} [name=${field}]`, text);
    }
  }

  /** Of the empty form: the visitor is told what is missing. */
  async pressEmpty(): Promise<void> {
    await this.click(SUBMIT);
    await this.proxy.quiet();
    this.white = isWhite(await this.look());
  }

  async send({ presses = 2 }: Conduct): Promise<Shown> {
    let shown = await this.look();
    while (this.presses < presses && !saysSent(shown)) {
      await pause(this.presses * READ_MS);
      if (!(await this.click(SUBMIT))) {
        break;
      }
      this.presses += 1;
      shown = await this.answer();
    }
    this.white ||= isWhite(shown);
    return shown;
  }

  leave(): Promise<string> {
    return soon(this.page.evaluate(left), "?");
  }

  async goHome(): Promise<void> {
    await this.click(HOME);
    await this.proxy.quiet();
    const shown = await this.look();
    this.white ||= isWhite(shown) || shown.path !== "/";
  }

  /** Waits for an answer as long as a person would. */
  private async answer(): Promise<Shown> {
    const begun = Date.now();
    let lastBusy = begun;
    let shown: Shown;
    // Patience begins anew with the page that comes when the button no longer says that it is sending.
    const waits = () => Date.now() - lastBusy < PATIENCE_MS && Date.now() - begun < BUSY_PATIENCE_MS;
    do {
      await pause(STEP_MS);
      shown = await this.look();
      lastBusy = shown.busy ? Date.now() : lastBusy;
      // A page that has just come is painted a moment after it can be read.
    } while (!(isAnswered(shown) && shown.painted) && waits());
    return shown;
  }

  private async look(): Promise<Shown> {
    return (await soon(this.page.evaluate(look), NOTHING)) ?? NOTHING;
  }

  private click(place: string): Promise<boolean> {
    return done(this.page.locator(place).first().click());
  }

  /** Types where the focus is, as people do who look. What is lost after that is lost by the page. */
  private async type(place: string, text: string): Promise<void> {
    const isFocused = (selector: string) => document.activeElement === document.querySelector(selector);
    for (let tries = 0; tries < TRIES && (await this.click(place)); tries += 1) {
      if (await soon(this.page.evaluate(isFocused, place), false)) {
        // With time between the keys, as people type: what the page does meanwhile must take none away.
        await soon(this.page.keyboard.type(text, { delay: KEY_MS }), undefined, PATIENCE_MS);
        return;
      }
    }
  }

  private async choose(): Promise<boolean> {
    const select = this.page.locator(SELECT).filter({ visible: true });
    if ((await soon(select.count(), 0)) > 0) {
      return done(select.first().selectOption("+90"));
    }
    await this.click(LIST);
    if (!(await done(this.page.locator(SEARCH).waitFor({ timeout: LIST_MS })))) {
      return false;
    }
    await this.page.keyboard.type("turkey", { delay: KEY_MS });
    await this.page.keyboard.press("Enter");
    return true;
  }
}

const ASK = `
import json, os, sys, psycopg
with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
    query = "SELECT reference, phone_e164 FROM leads WHERE email = %s"
    print(json.dumps(connection.execute(query, sys.argv[1:]).fetchall()))`;

/** What the product has stored, from its own database: the CRM does not see enquiries that are held. */
async function storedEnquiries(email: string): Promise<[reference: string, phone: string][]> {
  const { stdout } = await promisify(execFile)("python", ["-c", ASK, email]);
  return JSON.parse(stdout);
}

function judge(shown: Shown, stored: [reference: string, phone: string][], enquiry: Enquiry): Trouble[] {
  const [first] = stored;
  const [reference, phone] = first ?? [];
  const told = saysSent(shown);
  const another = shown.path === "/thank-you" && told && shown.reference !== reference;
  const found: Record<Trouble, boolean> = {
    lost: first === undefined,
    white: enquiry.white,
    untrue: first ? saysLost(shown) || another : told,
    "not told": first !== undefined && !told && !saysLost(shown),
    twice: stored.length > 1,
    changed: first !== undefined && phone !== enquiry.phone,
  };
  return (Object.keys(found) as Trouble[]).filter((trouble) => found[trouble]);
}

/** The whole visit: arrives, scrolls to the form, types, presses. */
export async function visit(browser: Browser, origin: string, conduct: Conduct): Promise<Outcome> {
  const begun = Date.now();
  const proxy = await openProxy(origin);
  // With a store and a cache of its own.
  const context = await browser.newContext({ ...PHONE, javaScriptEnabled: conduct.javaScript ?? true });
  const page = await context.newPage();
  page.setDefaultTimeout(PRESS_MS);
  const enquiry = new Enquiry(page, proxy);
  try {
    proxy.rule = conduct.arriving ?? proxy.rule;
    await page.goto(proxy.url + conduct.path, { waitUntil: "commit" });
    // Some part of it may never come.
    await page.waitForLoadState("load").catch(() => undefined);
    await proxy.quiet();
    proxy.rule = conduct.opened ?? proxy.rule;
    await enquiry.reach();
    conduct.emptyFirst && (await enquiry.pressEmpty());
    await enquiry.fill();
    await conduct.pressing?.(proxy, page);
    const shown = await enquiry.send(conduct);
    conduct.thenHome && (await enquiry.goHome());
    const troubles = judge(shown, await storedEnquiries(enquiry.email), enquiry);
    const native = proxy.asked.some(({ method, path }) => method === "POST" && path === "/enquiry");
    const seconds = (Date.now() - begun) / 1000;
    const left = troubles.length > 0 ? await enquiry.leave() : "";
    return { troubles, presses: enquiry.presses, native, asked: proxy.asked, seconds, left };
  } finally {
    await context.close();
    proxy.close();
  }
}
