/** The types of content/*.yaml as TypeScript sees them, one module a file. They follow from the schema. */
import { FILES } from "./schema.ts";

const HEAD = `/** Generated from scripts/content/schema.ts by: npm run content-types */
type Content<Name extends import("../../scripts/content/schema.ts").FileName> =
  import("../../scripts/content/schema.ts").Content<Name>;
`;

const LANDING = `
/** One landing page; its name is its address, and \`also\` has further ones. \`prices\`: the price list that it shows. */
declare module "#content/landing" {
  export type LandingWords = import("../../scripts/content/schema.ts").Landing;
  export interface Landing {
    name: string;
    also: readonly string[];
    prices: string;
    load: () => Promise<LandingWords>;
  }
  export const landings: readonly Landing[];
}
`;

const TREATMENTS = `
/** By price list: the treatments that it has a price for. */
declare module "#content/treatments" {
  export const priced: Readonly<Record<string, readonly string[]>>;
}

/** By treatment: the words of its own page. */
declare module "#content/treatments.yaml?pages" {
  export const pages: Readonly<Record<string, Content<"treatments.yaml">["treatments"][number]["page"]>>;
}

/** By treatment: its name. */
declare module "#content/treatments.yaml?names" {
  export const names: Readonly<Record<string, string>>;
}
`;

const PARTS = `
/** Claims that only texts name. */
declare module "#content/claims.yaml?named" {
  export const named: Content<"claims.yaml">["claims"];
}

/** What the treatments' pages say of the topics. */
declare module "#content/before-you-decide.yaml?brief" {
  type Topic = Content<"before-you-decide.yaml">["topics"][number];
  export const brief: readonly Pick<Topic, "id" | "title" | "answer" | "of" | "clinic">[];
  export const words: Content<"before-you-decide.yaml">["words"];
}
`;

const REAL = `
/** Whether anything in the file is no longer a sample. */
declare module "#content/*.yaml?real" {
  export const real: boolean;
}
`;

/** The text of src/content/files.d.ts. */
export function contentTypes(): string {
  const modules = Object.entries(FILES).map(([file, schema]) => {
    const fields = Object.keys(schema.shape).map(
      (key) => `  export const ${key}: Content<"${file}">["${key}"];\n`,
    );
    return `\ndeclare module "#content/${file}" {\n${fields.join("")}}\n`;
  });
  return HEAD + modules.join("") + LANDING + TREATMENTS + PARTS + REAL;
}
