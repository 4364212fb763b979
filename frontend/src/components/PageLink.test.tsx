import { fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter, Route, Routes } from "react-router-dom";
import { expect, it } from "vitest";
import { PageLink } from "./PageLink";

function open() {
  render(
    <MemoryRouter initialEntries={["/thank-you"]}>
      <Routes>
        <Route path="/" element={<h1>Home</h1>} />
        <Route path="/thank-you" element={<PageLink to="/">Return to Homepage</PageLink>} />
      </Routes>
    </MemoryRouter>,
  );
  return screen.getByRole("link", { name: "Return to Homepage" });
}

it("shows the other page without a new document", () => {
  const link = open();
  expect(link).toHaveAttribute("href", "/");
  expect(fireEvent.click(link)).toBe(false);
  expect(screen.getByRole("heading", { name: "Home" })).toBeVisible();
});
