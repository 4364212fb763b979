/** Title and description of each page. Apart from the pages' other words: every page carries all of these. */
export const heads = {
  home: {
    title: "Dental implants in Istanbul | Bosphorus Dental Implant Clinic",
    description:
      "Implants and crowns in Istanbul, planned with you before you fly. A written plan and price within 24 hours, and a 15 year warranty.",
  },
  landing: {
    title: "Dental implants in Turkey | Bosphorus Dental Implant Clinic",
    description:
      "Book a free X-ray or check-up in Istanbul. A dentist's written plan with a price in euros within 24 hours, and a 15 year warranty.",
  },
  thankYou: {
    title: "Thank you | Bosphorus Dental Implant Clinic",
    description: "Your consultation request was submitted. Our experts will call you within 24 hours.",
  },
  privacy: {
    title: "Privacy notice | Bosphorus Dental Implant Clinic",
    description:
      "What the clinic stores about you, why, for how long, who else sees it, and what you can ask.",
  },
  terms: {
    title: "Terms | Bosphorus Dental Implant Clinic",
    description: "What the prices, plans and pictures on this site mean, and what they do not.",
  },
  complaint: {
    title: "Data complaint | Bosphorus Dental Implant Clinic",
    description: "Tell us when you are not content with how we treat your data. A person answers.",
  },
  notFound: {
    title: "Page not found | Bosphorus Dental Implant Clinic",
    description: "There is no page at this address.",
  },
} as const;
