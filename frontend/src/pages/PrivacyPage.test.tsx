import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import { complaints } from "#content/clinic.yaml";
import { PrivacyPage } from "./PrivacyPage";

it("names an address for complaints and says what happens to one, where the server leads who looks for a form", () => {
  const { container } = render(
    <MemoryRouter>
      <PrivacyPage />
    </MemoryRouter>,
  );
  expect(container.querySelector("#complaint")).toHaveTextContent(
    /reads it, answers within .* within 30 days/,
  );
  expect(screen.getByRole("link", { name: complaints.email })).toHaveAttribute(
    "href",
    `mailto:${complaints.email}`,
  );
});
