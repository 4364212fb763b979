import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { complaints } from "#content/clinic.yaml";
import { PrivacyText } from "./PrivacyText";

it("names an address for complaints and says what happens to one, where the server leads who looks for a form", () => {
  const { container } = render(<PrivacyText />);
  expect(container.querySelector("#complaint")).toHaveTextContent(
    /reads it, answers within .* within 30 days/,
  );
  expect(screen.getByRole("link", { name: complaints.email })).toHaveAttribute(
    "href",
    `mailto:${complaints.email}`,
  );
});
