import { faq } from "#content/faq.yaml";

export const faqWords = {
  heading: { overline: "Questions", title: "What people ask before they fly" },
  faq,
};
