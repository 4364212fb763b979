import { beforeAll, expect, it } from "vitest";
import { sources, topics, words } from "#content/before-you-decide.yaml";
import { pageAt, preparePages } from "./pageFixture";

beforeAll(preparePages, 60_000);

const PATH = "/before-you-decide";
const main = (samples: boolean) => pageAt(PATH, samples).querySelector("main") as HTMLElement;
const textsOf = (selector: string) => [...main(false).querySelectorAll(selector)].map(({ textContent }) => textContent);

it("answers every topic under a heading of its own, which its list of contents leads to", () => {
  expect(textsOf("h1")).toEqual(["Before you decide"]);
  expect(textsOf("h2")).toEqual([...topics.map(({ title }) => title), words.sources.title]);
  expect(textsOf("h3, h4")).toEqual([]);
  const places = [...main(false).querySelectorAll("nav a[href^='#']")].map((link) => link.getAttribute("href"));
  expect(places).toEqual([...topics.map(({ id }) => `#${id}`), "#sources"]);
  for (const { id } of topics) {
    expect(main(false).querySelector(`#${id}`)?.textContent?.length, id).toBeGreaterThan(200);
  }
});

it("states no claim without evidence, and says nothing for the clinic", () => {
  expect(main(false).textContent).not.toMatch(/sample|15 year|At our clinic:|\{|Australian passport/i);
  expect(main(true).textContent).toMatch(/15 year warranty.*Australian passport/);
});

it("names the sources of each topic with their years, and all of them in full", () => {
  for (const { id, sources: ids } of topics) {
    const links = [...main(false).querySelectorAll(`#${id} a[href^='https:']`)];
    expect(
      links.map((link) => [link.textContent, link.getAttribute("href")]),
      id,
    ).toEqual(ids.map((name) => [`${sources[name]?.by}, ${sources[name]?.dated}`, sources[name]?.address]));
  }
  const whole = textsOf("#sources li");
  expect(whole).toEqual(Object.values(sources).map(({ by, dated, title }) => `${by}, ${dated}. ${title}.`));
  expect(new Set(topics.flatMap((topic) => topic.sources))).toEqual(new Set(Object.keys(sources)));
});

it.each(["/", "/dental-implants", "/privacy", "/nowhere"])("the footer of %s leads to it", (path) => {
  expect(pageAt(path).querySelectorAll(`footer a[href="${PATH}"]`)).toHaveLength(1);
});
