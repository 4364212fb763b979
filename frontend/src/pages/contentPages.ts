/** The pages that are files of content/landing/ and content/text/, one each, for the route table. */
export { type Landing, landings } from "#content/landing";
export { type LongText, texts } from "#content/text";
