/** The beginning and the end of each flag's address, as scripts/flags.ts writes them. */
declare const FLAG_FILES: readonly [start: string, end: string];
