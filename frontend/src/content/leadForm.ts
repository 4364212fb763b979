import { marketing } from "#content/legal.yaml";

/** Words of the form block. The messages of its checks live with its rules, because the API shares them. */
export const leadForm = {
  title: "Unlock Today's Offer",
  subtitle: "Start your journey to a perfect smile today",
  requiredNote: "Fields marked * are required.",
  labels: { name: "Name", surname: "Surname", email: "Email", phone: "Phone", message: "Your Questions" },
  hints: {
    phone: "We only call about this enquiry.",
    message: "Optional. Please don't include documents or payment details.",
  },
  country: {
    button: "Country code",
    search: "Search country or code",
    list: "Country codes",
    none: "No country found. Try its English name or its code.",
  },
  marketing,
  submit: "Get Free Consultation",
  sending: "Sending",
  notices: [
    "Your details are private and used only to answer this enquiry, and for news if you tick the box.",
    "We process them under GDPR and KVKK. No payment is taken here.",
  ],
  summary: {
    one: "One field needs your attention",
    many: "{count} fields need your attention",
  },
  failure: {
    text: "Your enquiry did not reach us. Everything you typed is still here.",
    again: "Try again",
    chat: "Send by WhatsApp instead",
  },
  withoutScript: "This form needs JavaScript. You can also write to us on WhatsApp or call the clinic.",
} as const;

/** The three lines beside the form. */
export const reassurances = [
  {
    icon: "clock",
    title: "An answer within 24 hours",
    text: "We call or write back within 24 hours.",
  },
  {
    icon: "shield",
    title: "A dentist reads your case",
    text: "Every plan is reviewed by a dentist before you book a flight.",
  },
  {
    icon: "card",
    title: "Nothing to pay now",
    text: "The consultation is free, and it commits you to nothing.",
  },
] as const;
