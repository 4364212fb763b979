/** What patients should know before they decide, as the treatments' pages and the page of its own say it. */
import { itemsWithClaims, restOnSamples, withClaims } from "./namedClaims";

type Known = typeof import("#content/before-you-decide.yaml")["topics"][number];

/** The texts with the claims that may be stated, without those of which nothing is left. */
const stated = (texts: readonly string[], samples: boolean) =>
  texts.map((text) => withClaims(text, samples)).filter((text) => text !== "");

/** What the clinic has filled in. */
const filled = ({ clinic }: Pick<Known, "clinic">) => Object.values(clinic).filter((text) => text !== null);

const ownTexts = (topic: Pick<Known, "clinic">, ours: string, samples: boolean) =>
  stated(filled(topic), samples).map((text) => `${ours} ${text}`);

/** A topic on a treatment's page: its short answer, and what the clinic says. */
export function briefTopic(
  topic: Pick<Known, "id" | "title" | "answer" | "of" | "clinic">,
  treatment: string,
  ours: string,
  samples: boolean,
) {
  const { id, title, answer, of } = topic;
  const own = of.find(({ treatments }) => treatments.includes(treatment));
  return {
    id,
    title,
    texts: [...stated([own?.text ?? answer], samples), ...ownTexts(topic, ours, samples)],
    sample: restOnSamples([own?.text ?? answer, ...filled(topic)]),
  };
}

/** A topic as a section of the page: what is different for some treatments comes after what is not. */
export function topicSection(topic: Known, ours: string, samples: boolean) {
  const { id, answer, of, items, days, text } = topic;
  return {
    id,
    answer: withClaims(answer, samples),
    points: itemsWithClaims([...items, ...of], "text", samples),
    days: itemsWithClaims(days, "text", samples),
    texts: [...stated(text, samples), ...ownTexts(topic, ours, samples)],
    sample: restOnSamples([
      answer,
      ...[...of, ...items, ...days].map((point) => point.text),
      ...text,
      ...filled(topic),
    ]),
  };
}
