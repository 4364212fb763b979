import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import { describe, expect, it } from "vitest";
import * as faqContent from "#content/faq.yaml";
import * as journeyWords from "#content/journey.yaml";
import { reasons, words } from "#content/reasons.yaml";
import { trust as trustLabel } from "#content/site.yaml";
import { trustCells } from "@/content/claims";
import { footerWords, hoursInWords } from "@/content/footer";
import { answered } from "@/content/questions";
import { siteWords } from "@/content/site";
import { SamplesContext } from "@/lib/settings";
import { Faq } from "./Faq";
import { Journey } from "./Journey";
import { Reasons } from "./Reasons";
import { SiteFooter } from "./SiteFooter";
import { TopBar } from "./TopBar";
import { TrustStrip } from "./TrustStrip";

const faqWords = answered(faqContent, true);

describe("the reasons", () => {
  it("are six, each with its words", () => {
    render(<Reasons words={{ heading: words.why, reasons }} sample={false} />);
    expect(screen.getAllByRole("heading", { level: 3 })).toHaveLength(6);
    expect(document.querySelectorAll("#why-choose-us li p")).toHaveLength(6);
  });
});

describe("the journey", () => {
  it("has four numbered steps, each with its days and who does what", () => {
    render(<Journey words={journeyWords} sample={false} />);
    const steps = screen.getAllByRole("listitem");
    expect(steps).toHaveLength(4);
    expect(steps[0]?.parentElement?.tagName).toBe("OL");
    for (const step of steps) {
      expect(within(step).getByRole("heading")).toBeVisible();
      expect(step).toHaveTextContent(/Who: \S/);
    }
  });
});

describe("the questions", () => {
  const itemOf = (question: string) => screen.getByText(question).closest("details");

  it("open and close by themselves, as the browser's own disclosures", async () => {
    const user = userEvent.setup();
    render(<Faq words={faqWords} source="questions-landing" />);
    const question = faqWords.faq[1]?.question ?? "";
    expect(itemOf(question)).not.toHaveAttribute("open");
    await user.click(screen.getByText(question));
    expect(itemOf(question)).toHaveAttribute("open");
  });

  it("begin with pain, answered openly", () => {
    render(<Faq words={faqWords} source="questions-landing" />);
    expect(screen.getByText("Does it hurt?")).toBe(document.querySelector("summary"));
    expect(itemOf("Does it hurt?")).toHaveAttribute("open");
    expect(screen.getByText(/sore rather than painful/)).toBeVisible();
    expect(document.querySelectorAll("details[open]")).toHaveLength(1);
  });
});

describe("the trust strip", () => {
  it("links each of its four cells to what stands behind it, and none to nowhere", () => {
    render(<TrustStrip label={trustLabel} cells={trustCells(true)} />);
    const strip = within(screen.getByRole("region", { name: trustLabel }));
    const cells = strip.getAllByRole("listitem");
    expect(cells.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining("Authorisation"),
      "30+ dentists",
      "15 languages",
      "15 year warranty",
    ]);
    const leads = cells.map((cell) => within(cell).queryByRole("link")?.getAttribute("href") ?? null);
    expect(leads).toEqual(["#clinic-details", null, null, "#premium-treatments"]);
  });

  it("has one Sample tag for all of its cells", () => {
    render(
      <SamplesContext value={true}>
        <TrustStrip label={trustLabel} cells={trustCells(true)} />
      </SamplesContext>,
    );
    expect(screen.getAllByText("Sample")).toHaveLength(1);
  });

  it("is not there while nothing has its evidence", () => {
    const { container } = render(<TrustStrip label={trustLabel} cells={trustCells(false)} />);
    expect(container).toBeEmptyDOMElement();
  });
});

describe("the top bar", () => {
  const bar = (samples: boolean) => {
    const words = siteWords(samples);
    render(<TopBar label={words.topBarLabel} items={words.topBar} instead={words.topBarInstead} />);
    return screen.getByRole("complementary", { name: words.topBarLabel });
  };

  it("states rating, patients and years", () => {
    expect(
      within(bar(true))
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ).toEqual(["4.7 rating", "100,000+ global patients", "15+ years"]);
  });

  it("says what the clinic does while no figure may be shown", () => {
    expect(bar(false)).toHaveTextContent(/^Dental implants and crowns in Istanbul$/);
  });
});

describe("the clinic's hours in words", () => {
  const words = "{days}, {opens} to {closes} (Istanbul time)";
  it.each([
    [["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"], "Monday to Saturday"],
    [["Monday", "Wednesday", "Friday"], "Monday, Wednesday, Friday"],
    [["Saturday", "Sunday"], "Saturday, Sunday"],
  ] as const)("join days that follow each other", (days, said) => {
    expect(hoursInWords({ days: [...days], opens: "09:00", closes: "19:00", words })).toBe(
      `${said}, 09:00 to 19:00 (Istanbul time)`,
    );
  });
});

describe("the footer", () => {
  it("names address, map, editor, last change, authorisation and where to complain", () => {
    render(
      <MemoryRouter>
        <SiteFooter words={footerWords(true)} source="footer-landing" />
      </MemoryRouter>,
    );
    const footer = within(screen.getByRole("contentinfo"));
    expect(footer.getByRole("link", { name: /Istanbul.*\(map\)/ })).toHaveAttribute(
      "href",
      expect.stringMatching(/^https:/),
    );
    expect(footer.getByText(/^Editor: /)).toBeVisible();
    expect(footer.getByText(/^Last updated:/)).toHaveTextContent(/\d{1,2} \w+ \d{4}$/);
    expect(footer.getByText(/^Authorisation: /)).toBeVisible();
    expect(footer.getByRole("link", { name: "complaints@example.com" })).toBeVisible();
    expect(footer.getByText(/^Monday to Saturday, 09:00 to 19:00/)).toBeVisible();
    expect(footer.getByRole("list", { name: "WhatsApp in your language" })).toBeVisible();
    for (const name of ["Privacy", "Terms"]) {
      expect(footer.getByRole("button", { name })).toHaveAttribute("aria-haspopup", "dialog");
    }
  });
});
