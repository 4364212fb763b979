/** What a visitor does, in any engine. Each journey throws with a sentence when something is not as it should be. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const OFFSET = 80;
const NEAR = 2;
const PATIENCE_MS = 15_000;
const STEP_MS = 150;
/** Beyond it every part of a page is alive. */
const SETTLED_MS = 700;
/** A notice of three lines; the window is twice as high. */
const MAX_NOTICE_HEIGHT = 400;

export const PLACES = [
  ["/pricing", "premium-treatments"],
  ["/offers", "special-offers"],
  ["/testimonials", "video-testimonials"],
  ["/comparison", "price-comparison"],
  ["/journey", "patient-journey"],
  ["/clinic", "clinic-showcase"],
  ["/results", "before-after-gallery"],
  ["/promotions", "special-promotions"],
  ["/dental-implants/clinic", "clinic-showcase"],
  ["/dental-implants/implants", "premium-implants"],
  ["/dental-implants/results", "before-after-gallery"],
  ["/dental-implants/testimonials", "patient-testimonials"],
  ["/dental-implants/prices", "premium-treatments"],
  ["/dental-implants/pricing", "why-choose-turkey"],
  ["/dental-implants/why-us", "why-choose-us"],
  ["/dental-implants/journey", "patient-journey"],
  ["/dental-implants/contact", "contact-form"],
];

function hold(fact, sentence) {
  if (!fact) {
    throw new Error(sentence);
  }
}

/** The first answer of `ask` that is neither false nor nothing. */
async function eventually(ask, sentence) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer) {
      return answer;
    }
    hold(Date.now() < end, typeof sentence === "function" ? sentence() : sentence);
    await sleep(STEP_MS);
  }
}

const topOf = (browser, section) =>
  browser.run(
    (id) => Math.round(document.getElementById(id)?.getBoundingClientRect().top ?? 99_999),
    section,
  );

/** Brings the element into view by a jump, so that a press finds it where it was measured. */
const show = (browser, place) =>
  browser.run(
    (selector) => document.querySelector(selector).scrollIntoView({ block: "center", behavior: "instant" }),
    place,
  );

const placeOf = (browser, place) =>
  browser.run((selector) => {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    return box ? `${box.left} ${box.top}` : "";
  }, place);

/** Presses the element once it is in view and rests. */
async function press(browser, place) {
  await eventually(() => placeOf(browser, place), `${place} is missing`);
  await show(browser, place);
  const rests = async () => {
    const before = await placeOf(browser, place);
    await sleep(SETTLED_MS);
    return before === (await placeOf(browser, place));
  };
  await eventually(rests, `${place} does not come to rest`);
  await browser.click(place);
}

/** The CRM's records that fit, from the sandbox. */
async function crmRecords(site, query) {
  const address = new URL("/_sandbox/records", site.sandbox);
  address.search = new URLSearchParams(query).toString();
  return (await (await fetch(address)).json()).records;
}

async function places(browser, site) {
  const wrong = [];
  for (const [path, section] of PLACES) {
    await browser.go(site.base + path);
    let top = Number.NaN;
    const rests = async () => {
      top = await topOf(browser, section);
      return Math.abs(top - OFFSET) <= NEAR;
    };
    const arrived = await eventually(rests, "").catch(() => false);
    await sleep(SETTLED_MS);
    const stays = await rests();
    if (!arrived || !stays) {
      wrong.push(`${path} at ${top} px`);
    }
  }
  hold(wrong.length === 0, `not at ${OFFSET} px: ${wrong.join(", ")}`);
  return `${PLACES.length} of ${PLACES.length} places at ${OFFSET} px`;
}

async function offers(browser, site) {
  await browser.go(`${site.base}/offers`);
  await sleep(SETTLED_MS);
  const shown = await browser.run(() => document.querySelectorAll("#special-offers h3").length);
  hold(shown > 0, "no offer is shown, although some run");
  return `${shown} offers`;
}

async function notices(browser, site) {
  await browser.go(`${site.base}/`);
  const opener = 'footer a[aria-haspopup="dialog"]';
  await press(browser, opener);
  const height = await eventually(
    () => browser.run(() => document.querySelector("dialog[open]")?.getBoundingClientRect().height),
    "the notice does not open",
  );
  hold(height < MAX_NOTICE_HEIGHT, `a notice is ${height} px high`);
  return `a notice is ${Math.round(height)} px high`;
}

async function lightbox(browser, site) {
  // Not at /clinic: that page moves to its section until the first input, and would move away from under a press.
  await browser.go(`${site.base}/`);
  await show(browser, "#clinic-showcase figure");
  await press(browser, '#clinic-showcase [data-state="loaded"] button');
  const buttons = await eventually(
    () => browser.run(() => document.querySelectorAll("dialog[open] button").length),
    "the picture does not open",
  );
  const stops = [];
  for (let count = 0; count < 3 * (buttons + 1); count += 1) {
    await browser.press("Tab");
    // The browser's own buttons are between the last and the first of a dialog; then nothing of the page has the focus.
    const stop = await browser.run(() => {
      const active = document.activeElement;
      const inside = active.closest("dialog[open]");
      const name = active.ariaLabel ?? active.textContent;
      return active === document.body
        ? ""
        : inside && active.tagName === "BUTTON"
          ? `in ${name}`
          : `out ${active.tagName}`;
    });
    stops.push(stop);
  }
  const strange = stops.filter((stop) => stop.startsWith("out"));
  hold(strange.length === 0, `Tab leaves the buttons of the picture: ${strange.join(", ")}`);
  const seen = new Set(stops.filter(Boolean));
  hold(seen.size === buttons, `Tab reaches ${seen.size} of ${buttons} buttons`);
  return `one ring of ${buttons} buttons`;
}

async function enquiry(browser, site) {
  const email = `visitor-${randomUUID()}@example.com`;
  await browser.go(`${site.base}/treatments/all-on-4`);
  await show(browser, "#contact-form");
  // Until a flag is there, the form's rules are still on their way.
  await eventually(
    () => browser.run(() => document.querySelector("#contact-form button img")?.complete),
    "the form does not come alive",
  );
  const entered = { name: "Ada", surname: "Example", email, phone: "07911 123456" };
  for (const [field, text] of Object.entries(entered)) {
    await press(browser, `#contact-form [name=${field}]`);
    await browser.write(text);
  }
  await press(browser, "#contact-form button[type=submit]");
  const problem = () =>
    browser.run(
      () => document.querySelector("#contact-form [role=alert], #contact-form [role=region]")?.textContent,
    );
  await eventually(
    () => browser.run(() => location.pathname === "/thank-you"),
    "the enquiry is not sent",
  ).catch(async (cause) => {
    throw new Error(`${cause.message}: ${await problem()}`);
  });
  const reference = await eventually(
    () => browser.run(() => document.querySelector("[data-reference]")?.textContent),
    "no reference is shown",
  );
  const records = await eventually(async () => {
    const found = await crmRecords(site, { Email: email });
    return found.length > 0 && found;
  }, "the CRM has no such lead");
  hold(records.length === 1 && JSON.stringify(records).includes(reference), "the CRM has another lead");
  return `one lead, with the reference ${reference} that the visitor saw`;
}

async function tap(browser, site) {
  const source = "header-landing";
  const query = { Button_Location: source };
  await browser.go(`${site.base}/`);
  const before = (await crmRecords(site, query)).length;
  await press(browser, `header [data-chat-source="${source}"]`);
  await eventually(
    async () => (await crmRecords(site, query)).length === before + 1,
    "the CRM has no record of the tap",
  );
  return "recorded once";
}

/** In this order: the last one opens another tab. */
export const JOURNEYS = { places, offers, notices, lightbox, enquiry, tap };
