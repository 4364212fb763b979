import { expect, it } from "vitest";
import { DEFAULT_RETENTION, retentionOf } from "./retention";

it("reads how long data is kept from the settings block", () => {
  expect(retentionOf('{"retentionMonths":12,"addressDays":7}')).toEqual({ months: 12, days: 7 });
});

it.each([null, "", "{", "null", '{"retentionMonths":"12","addressDays":null}'])(
  "falls back on what the server does by default: %s",
  (json) => {
    expect(retentionOf(json)).toEqual(DEFAULT_RETENTION);
  },
);
