/** The id of the section that holds the enquiry form, on every page that has one. */
export const FORM_SECTION = "contact-form";

/** The id of the hero's buttons: the bottom bar stays hidden until they have left the view. */
export const HERO_ACTIONS = "hero-actions";
