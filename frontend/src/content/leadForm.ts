/** The words of the form block. Validation messages are in features/lead-form, because the API shares them. */
import { form } from "#content/lead-form.yaml";
import { marketing } from "#content/legal.yaml";

export const leadForm = { ...form, marketing };
