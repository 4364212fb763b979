/** Words of the form for complaints about personal data. The messages of its checks are the API's. */
export const complaint = {
  title: "Data complaint",
  lead: "Not content with how we treat your personal data? Tell us. A person reads it and answers you.",
  other: "For anything about treatment or an enquiry, please use the contact details below.",
  form: {
    requiredNote: "Fields marked * are required.",
    labels: { name: "Name", email: "Email", text: "What happened?" },
    hints: {
      email: "We answer to this address.",
      text: "What you asked for or saw, and when. Please don't include documents or health details.",
    },
    submit: "Send complaint",
    sending: "Sending",
    summary: {
      one: "One field needs your attention",
      many: "{count} fields need your attention",
    },
    failure: {
      text: "Your complaint did not reach us. Everything you typed is still here.",
      again: "Try again",
      toast: { title: "Error", description: "Failed to send your complaint. Please try again." },
    },
    notice: "We use what you send here only to answer the complaint. It does not go to our sales team.",
    withoutScript: "This form needs JavaScript. You can also write to us by e-mail.",
  },
  received: {
    title: "We have your complaint",
    lead: "Please note the reference: it finds your complaint whenever you ask about it.",
    reference: { label: "Your reference", copy: "Copy reference", copied: "Copied" },
    next: {
      title: "What happens next",
      steps: [
        { title: "It stands in our register", text: "With the time it came. It does not go to sales staff." },
        { title: "A person looks into it", text: "We may write to you if something is unclear." },
        {
          title: "You hear from us within 30 days",
          text: "What we found and what we do about it. If you are still not content, you can turn to an authority.",
        },
      ],
    },
    home: "Return to Homepage",
    privacy: { href: "/privacy", text: "Read the whole privacy notice" },
  },
} as const;
