/** The plain pages for the build: templates that the server fills (web/plain.py). */
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router-dom";
import { name } from "#content/clinic.yaml";
import { fullName } from "@/content/clinicName";
import { SamplesContext } from "@/lib/settings";
import { anyOf, entriesOf, type States } from "./filled";
import { DETAILS_STATES, PlainDetails } from "./PlainDetails";
import { ENQUIRY_STATES, PlainEnquiry } from "./PlainEnquiry";

export interface PlainDocument {
  name: string;
  /** With the server's choice in it, like the rest. */
  title: string;
  html: string;
}

function titleOf(states: States): string {
  const titles = entriesOf(states).map(
    ([state, { title }]) => `{% if ${anyOf([state])} %}${title}{% endif %}`,
  );
  return `${titles.join("")} | ${fullName(name)}`;
}

function rendered(name: string, states: States, page: ReactElement, samples: boolean): PlainDocument {
  const html = renderToStaticMarkup(
    <SamplesContext value={samples}>
      <StaticRouter location={`/${name}`}>{page}</StaticRouter>
    </SamplesContext>,
  );
  return { name, title: titleOf(states), html };
}

export function plainPages(samples: boolean): PlainDocument[] {
  return [
    rendered("enquiry", ENQUIRY_STATES, <PlainEnquiry samples={samples} />, samples),
    rendered("details", DETAILS_STATES, <PlainDetails samples={samples} />, samples),
  ];
}
