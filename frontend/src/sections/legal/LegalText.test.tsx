import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { LegalText, MailLink, versionLine } from "./LegalText";

it("fills in its values, and the clinic's address can be tapped", () => {
  const texts = ["Write to {email}. We answer. Kept for {months} months.", "Nothing to fill in {here}."];
  const words = {
    contents: "On this page",
    home: "Home",
    dated: versionLine({ versionLabel: "Version", from: "since" }, "2026-11-22"),
    title: "Privacy",
    lead: "What we store.",
    sections: [{ id: "long", title: "How long", text: texts }],
  };
  render(<LegalText words={words} values={{ months: 24, email: <MailLink to="clinic@example.com" /> }} />);
  const link = screen.getByRole("link", { name: "clinic@example.com" });
  expect(link).toHaveAttribute("href", "mailto:clinic@example.com");
  expect(link.parentElement).toHaveTextContent("Write to clinic@example.com. We answer. Kept for 24 months.");
  expect(screen.getByText("Nothing to fill in {here}.")).toBeInTheDocument();
  expect(screen.getByText(/^Version 2026-11-22, since/)).toHaveTextContent(/22 November 2026$/);
});
