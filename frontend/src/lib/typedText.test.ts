import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ENTRY } from "@/features/lead-form/entryFixture";
import { leadSchema } from "@/features/lead-form/schema";
import { cleanPhone } from "./typedText";

interface Row {
  field: "phone" | "email" | "name" | "message";
  typed: string;
  /** Null where it is refused. */
  stored: string | null;
  why: string;
  countryCode?: string;
}

const FILE = join(import.meta.dirname, "../../../tests/typed_values.json");
const rows: Row[] = JSON.parse(readFileSync(FILE, "utf-8"));

/** What an enquiry sends of one field, and null with that field alone marked. */
function sent({ field, typed, countryCode = "+44" }: Row): string | null {
  const checked = leadSchema.safeParse({ ...ENTRY, countryCode, [field]: typed });
  if (checked.success) {
    return checked.data[field];
  }
  expect(checked.error.issues.map(({ path }) => path[0])).toContain(field);
  return null;
}

describe("what is typed, for page and API alike", () => {
  it.each(rows)("$field: $why", (row) => {
    expect(sent(row)).toBe(row.stored);
    if (row.field === "name") {
      const surname = leadSchema.safeParse({ ...ENTRY, surname: row.typed });
      expect(surname.success ? surname.data.surname : null).toBe(row.stored);
    }
  });

  it("says which name is too short", () => {
    const checked = leadSchema.safeParse({ ...ENTRY, name: "\u200b\u200d\u200b" });
    expect(checked.error?.issues[0]?.message).toBe("Name must be at least 2 characters");
  });

  it("reads the digits of every script", () => {
    const points = Array.from({ length: 0x11000 }, (_, code) => String.fromCodePoint(code));
    const digits = points.filter((character) => /\p{Nd}/u.test(character)).map(cleanPhone);
    expect(digits.length).toBeGreaterThan(300);
    expect(digits.join("")).toBe("0123456789".repeat(digits.length / 10));
  });
});
