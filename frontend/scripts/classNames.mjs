/** The names that the CSS modules' classes and animations have in what is built. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Without vowels no name is a word, such as those that ad blockers hide. */
const LETTERS = "bcdfghjklmnpqrstvwxyzBCDFGHJKLMNPQRSTVWXYZ";

const root = join(import.meta.dirname, "..");
const key = (name, file) => `${relative(root, file)} ${name}`;

function namesIn(file) {
  const found = readFileSync(file, "utf8").matchAll(/(?:\.|@keyframes )([a-zA-Z][\w-]*)/g);
  return [...found].map(([, name]) => key(name, file));
}

function short(number) {
  const first = Math.floor(number / LETTERS.length);
  return (first === 0 ? "" : LETTERS.charAt(first - 1)) + LETTERS.charAt(number % LETTERS.length);
}

const sheets = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".module.css"))
  .sort();
/** In an order that is the same in every build. */
const names = new Set(sheets.flatMap((file) => namesIn(join(root, "src", file))));
const shortNames = new Map([...names].map((name, number) => [name, short(number)]));

/** One or two letters: style sheet, scripts and pages are smaller than with the names as written. */
export function shortName(name, file) {
  const found = shortNames.get(key(name, file));
  if (found === undefined) {
    throw new Error(`There is no ${name} in ${file}`);
  }
  return found;
}

/** The module that each short name belongs to. */
export const moduleOfName = new Map([...shortNames].map(([name, found]) => [found, name.split(" ")[0]]));
