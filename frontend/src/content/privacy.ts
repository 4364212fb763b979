import { email } from "#content/clinic.yaml";
import { lead, sections, title, version } from "#content/privacy.yaml";
import { legalPage } from "./legalPage";

export const privacy = { ...legalPage, version, title, lead, sections, email };

/** Beside the notice: where to complain. */
export const complaintLink = { href: "/data-complaint", text: "Send a data complaint" } as const;
