/** The words of the form block. */
import { form } from "#content/lead-form.yaml";
import { marketing } from "#content/legal.yaml";

export const leadForm = { ...form, marketing };
