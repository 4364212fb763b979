import { afterEach, expect, it } from "vitest";
import { report } from "@/lib/events";
import { clearTags, googleEvents, start } from "./tagsFixture";

afterEach(clearTags);

// In a file of its own: early events can be taken only once per page load.
it("events from before the tags' code loaded are sent once, where an earlier visit's answer allows it", () => {
  report({ kind: "page_view", title: "Thank You", path: "/" });
  report({ kind: "phone_click", location: "thank-you-page" });
  const consent = {
    version: "1",
    choice: { analytics: true, advertising: false },
    at: "2026-01-01T00:00:00Z",
  };
  start({}, consent);
  expect(googleEvents().map(([, name]) => name)).toEqual(["page_view", "phone_click"]);
  start({}, consent);
  expect(googleEvents()).toHaveLength(2);
});
