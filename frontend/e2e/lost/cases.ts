/** Everything that a visit fetches, and the ways in which each of it can fail; and what else happens to a phone. */
import { setTimeout as pause } from "node:timers/promises";
import type { Browser } from "@playwright/test";
import type { Asked, Fault, Rule } from "../support/proxy";
import { type Conduct, type Outcome, visit } from "./enquiry";

export const PAGES = ["/", "/dental-implants", "/treatments/all-on-4"];

export interface Case extends Conduct {
  /** The file or request that fails, or what else happens. */
  name: string;
  /** How it fails; "" where the name says it. */
  how: string;
}

const WAYS: Record<string, (rule: (fault: Fault) => Rule) => Pick<Conduct, "arriving" | "opened">> = {
  "404 from the start": (rule) => ({ arriving: rule("missing") }),
  "never answers": (rule) => ({ arriving: rule("silent") }),
  "a captive portal's page": (rule) => ({ arriving: rule("portal") }),
  "gone once the page is open": (rule) => ({ opened: rule("missing") }),
};

const DOWN_MS = 3_000;
/** And not something else that happens. */
const isFile = ({ name }: Case) => /[./]/.test(name);
const isPicture = (path: string) => /\.(svg|avif|webp|jpe?g|png|ico)$/.test(path);
const isPart = (path: string) => path.startsWith("/api/") || /\.(js|css|woff2)$/.test(path);
const isScript: (asked: Asked) => boolean = ({ path }) => path.endsWith(".js");
/** Without the hash of the build. */
export const shortName = (path: string) => path.replace(/-[\w-]{8}(?=\.\w+$)/, "").replace("/assets/", "");

/** What a visit with an enquiry fetches from the site itself; of its pictures the first. */
async function filesOf(browser: Browser, origin: string, path: string): Promise<string[]> {
  const { troubles, asked }: Outcome = await visit(browser, origin, { path });
  if (troubles.length > 0) {
    throw new Error(`${path}, with nothing missing: ${troubles.join(", ")}`);
  }
  const paths = [...new Set(asked.map((one) => one.path))];
  const [picture] = paths.filter(isPicture);
  return paths.filter((one) => isPart(one) || one === picture);
}

function fileCases(path: string, file: string): Case[] {
  const rule =
    (fault: Fault): Rule =>
    (asked) =>
      asked.path === file ? fault : undefined;
  return Object.entries(WAYS).map(([how, conduct]) => ({
    path,
    name: shortName(file),
    how,
    ...conduct(rule),
  }));
}

/** Answers to the form are lost for a while from the first on: browsers repeat a request whose connection breaks. */
function answersLost(): Rule {
  let first = 0;
  return ({ method, path }) => {
    if (method !== "POST" || !/^\/(api\/leads|enquiry)$/.test(path)) {
      return undefined;
    }
    first ||= Date.now();
    return Date.now() - first < DOWN_MS ? "unanswered" : undefined;
  };
}

function otherCases(): Omit<Case, "path">[] {
  const all =
    (fault: Fault, is: (asked: Asked) => boolean): Rule =>
    (asked) =>
      is(asked) ? fault : undefined;
  return [
    { name: "nothing", how: "" },
    { name: "JavaScript", how: "switched off", javaScript: false },
    { name: "all scripts", how: "blocked", arriving: all("cut", isScript) },
    {
      name: "all scripts",
      how: "gone once the page is open",
      opened: all("missing", isScript),
      emptyFirst: true,
      thenHome: true,
    },
    { name: "the answer", how: "lost, for 3 s", opened: answersLost() },
    {
      name: "the line",
      how: "down at the press, for 3 s",
      pressing: async (proxy) => {
        const { rule } = proxy;
        proxy.rule = () => "cut";
        setTimeout(() => {
          proxy.rule = rule;
        }, DOWN_MS);
      },
    },
    {
      name: "the browser",
      how: "offline at the press, for 3 s",
      presses: 1,
      pressing: async (_, page) => {
        await page.context().setOffline(true);
        const back = () =>
          page
            .context()
            .setOffline(false)
            .catch(() => undefined);
        void pause(DOWN_MS).then(back);
      },
    },
  ];
}

export async function casesOf(browser: Browser, origin: string, path: string): Promise<Case[]> {
  const files = await filesOf(browser, origin, path);
  return [...files.flatMap((file) => fileCases(path, file)), ...otherCases().map((one) => ({ ...one, path }))];
}

/** Fonts and pictures fail in the whole set only. */
const SHORT_KINDS: readonly RegExp[] = [/^.?arrival/, /\.js$/, /\.css$/, /start$/, /geo$/, /leads$/];

/**
 * The short set: every kind of file in every way, and everything else once. The pages take turns, and so do the files of a
 * kind.
 *
 * @param all The cases of a page.
 * @param number The page's number.
 */
export function shortSet(all: readonly Case[], number: number): Case[] {
  const turns = new Map<string, Case[]>();
  for (const one of all) {
    const kind = isFile(one) ? SHORT_KINDS.findIndex((names) => names.test(one.name)) : one.name;
    if (kind !== -1) {
      const same = `${kind} ${one.how}`;
      turns.set(same, [...(turns.get(same) ?? []), one]);
    }
  }
  const own = [...turns.values()].filter((_, turn) => turn % PAGES.length === number);
  return own.map((same, turn) => same[(turn * 5) % same.length]).filter((one) => one !== undefined);
}
