export const thankYou = {
  /** Reported as the page view's title. */
  eventTitle: "Thank You",
  greeting: "Thank you",
  lead: "Your request was submitted. Our experts will call you within 24 hours.",
  reference: { label: "Your reference", copy: "Copy reference", copied: "Copied" },
  email: "Check your email too: our answer may come there, or to its spam folder.",
  next: {
    title: "What happens next",
    steps: [
      { title: "A dentist reads your request", text: "With your questions, before anyone calls." },
      { title: "Our experts call you", byHours: 24, by: "By {time}, your time.", text: "Within 24 hours." },
      { title: "You get a written plan and price", text: "Yours to keep and compare. Nothing to pay." },
    ],
  },
  ready: {
    title: "Good to have ready",
    items: [
      "A recent dental X-ray, or three phone photos: front, upper teeth, lower teeth",
      "A list of the medicines you take",
      "The dates on which you could travel",
    ],
  },
  contact: { title: "Would you rather talk now?", chat: "WhatsApp", call: "Call Now" },
  home: "Return to Homepage",
} as const;
