/** How long the server keeps things, as its settings block says; apart from the settings that every page needs. */
export interface Retention {
  months: number;
  days: number;
}

export const DEFAULT_RETENTION: Retention = { months: 24, days: 30 };

function whole(value: unknown, fallback: number): number {
  return Number.isInteger(value) ? Number(value) : fallback;
}

/** From the text of the page's #settings block; what is absent or broken falls back. */
export function retentionOf(json: string | null): Retention {
  try {
    const given: Record<string, unknown> = { ...JSON.parse(json ?? "{}") };
    return {
      months: whole(given.retentionMonths, DEFAULT_RETENTION.months),
      days: whole(given.addressDays, DEFAULT_RETENTION.days),
    };
  } catch {
    return DEFAULT_RETENTION;
  }
}
