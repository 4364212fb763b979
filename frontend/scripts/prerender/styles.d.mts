export function sheetOf(template: string): string;
export function withStyle(template: string, rules: string): string;
export function stylesOf(html: string): string[];
export function styleSources(pages: readonly string[]): string[];
