/** The id of the section that holds the form, on every page that has one. */
export const FORM_SECTION = "contact-form";
