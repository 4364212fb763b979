/** The landing pages, one for each file of content/landing/. Apart from their words, for the route table. */
export { type Landing, type LandingWords, landings } from "#content/landing";
