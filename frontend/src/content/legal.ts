/** The short texts behind the footer's links. */
export const legal = {
  privacy: {
    link: "Privacy",
    title: "Privacy",
    text: "Your data is collected for consultation only, in line with GDPR and KVKK.",
  },
  terms: {
    link: "Terms",
    title: "Terms",
    text: "Quotes are estimates, subject to in-person evaluation.",
  },
  close: "Close",
} as const;
