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
  notFound: {
    title: "Page not found | Bosphorus Dental Implant Clinic",
    description: "There is no page at this address.",
  },
} as const;
