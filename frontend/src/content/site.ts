/** The header and bars of every page. */
import { real as casesAreReal } from "#content/cases.yaml?real";
import { name } from "#content/clinic.yaml";
import { bottomBar, doors, header, skip, topBar } from "#content/site.yaml";
import { claimsAt } from "./claims";

export const siteWords = (samples: boolean) => ({
  skip,
  topBar: { ...topBar, items: claimsAt("top-bar", samples) },
  header: { wordmark: name, ...header },
  bottomBar: { ...bottomBar, ...doors },
});

const isReal: Partial<Record<keyof typeof header.places, boolean>> = {
  "before-after-gallery": casesAreReal,
};

const PLACES = (Object.keys(header.places) as (keyof typeof header.places)[]).map((id) => ({
  href: `#${id}`,
  text: header.places[id],
  real: isReal[id] ?? true,
}));

/** The sections that the header links to on wide screens, in page order; without samples only those that are shown. */
export const navigation = (samples: boolean) => PLACES.filter(({ real }) => samples || real);
