/** The words of the form block. The messages of its checks live with its rules, because the API shares them. */
import { form } from "#content/lead-form.yaml";
import { marketing } from "#content/legal.yaml";

export const leadForm = { ...form, marketing };
