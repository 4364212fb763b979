/** The landing pages, one for each file of content/landing/, for the route table. */
export { type Landing, landings } from "#content/landing";
