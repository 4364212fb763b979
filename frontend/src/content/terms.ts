import { email } from "#content/clinic.yaml";
import { lead, sections, title, version } from "#content/terms.yaml";
import { legalPage } from "./legalPage";

export const terms = { ...legalPage, version, title, lead, sections, email };
