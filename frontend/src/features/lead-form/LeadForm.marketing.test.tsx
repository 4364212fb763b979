import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { marketing } from "#content/legal.yaml";
import { openForm, type Server, startServer } from "./formFixture";

let server: Server;

beforeEach(async () => {
  server = await startServer();
});

const box = () => screen.getByRole<HTMLInputElement>("checkbox", { name: marketing.text });

it("is not ticked beforehand, and an enquiry goes without it", { timeout: 15_000 }, async () => {
  const { fill, submit } = await openForm();
  expect(box()).not.toBeChecked();
  expect(box()).not.toBeRequired();
  await fill();
  await submit();
  await waitFor(() => expect(server.posts).toHaveBeenCalled());
  expect(server.posts.mock.calls[0]?.[0]).not.toHaveProperty("marketingOptIn");
});

it("goes along with the version of its wording, and is unticked afterwards", {
  timeout: 15_000,
}, async () => {
  const { user, fill, submit } = await openForm();
  await fill();
  await user.click(box());
  expect(box()).toBeChecked();
  await submit();
  await waitFor(() => expect(server.posts).toHaveBeenCalled());
  expect(server.posts.mock.calls[0]?.[0]).toMatchObject({
    marketingOptIn: true,
    marketingVersion: marketing.version,
  });
  await waitFor(() => expect(box()).not.toBeChecked());
});
