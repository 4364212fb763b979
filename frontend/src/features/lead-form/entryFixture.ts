/** For tests only: an enquiry as the schema gives it. */
import type { LeadEntry } from "./schema";

export const ENTRY: LeadEntry = {
  name: "Ada",
  surname: "Example",
  email: "ada@example.com",
  countryCode: "+44",
  phone: "07911 123456",
  message: "",
  marketing: false,
  website: "",
  zc_gad: "",
};
