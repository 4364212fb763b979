/** Logs failures that must not disturb the visitor. Never pass anything that a visitor typed. */
export function logFailure(what: string, cause: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the one place that writes to the console.
  console.warn(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`);
}
