import { render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { describe, expect, it } from "vitest";
import { trust as trustLabel } from "#content/site.yaml";
import { trustCells } from "@/content/claims";
import { footerWords, hoursInWords } from "@/content/footer";
import { SiteFooter } from "./SiteFooter";
import { TrustStrip } from "./TrustStrip";

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

  it("is not there while nothing has its evidence", () => {
    const { container } = render(<TrustStrip label={trustLabel} cells={trustCells(false)} />);
    expect(container).toBeEmptyDOMElement();
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
      expect(footer.getByRole("link", { name })).toHaveAttribute("aria-haspopup", "dialog");
    }
  });
});
