/** The header and bars of every page. */
import { real as casesAreReal } from "#content/cases.yaml?real";
import { name } from "#content/clinic.yaml";
import { bottomBar, ctas, header, skip, topBar } from "#content/site.yaml";
import { claimsAt } from "./claims";

export const siteWords = (samples: boolean) => ({
  skip,
  topBar: { ...topBar, items: claimsAt("top-bar", samples) },
  header: { wordmark: name, ...header },
  bottomBar: { ...bottomBar, ...ctas },
});

const isReal: Partial<Record<keyof typeof header.navigation, boolean>> = {
  "before-after-gallery": casesAreReal,
};

const NAVIGATION = (Object.keys(header.navigation) as (keyof typeof header.navigation)[]).map((id) => ({
  href: `#${id}`,
  text: header.navigation[id],
  real: isReal[id] ?? true,
}));

/** Where the header leads on wide screens: the page's sections, without samples only those that are shown, and one page. */
export const navigation = (samples: boolean) => [
  ...NAVIGATION.filter(({ real }) => samples || real),
  { href: "/before-you-decide", text: header.decide },
];
