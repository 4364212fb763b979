export const notFound = {
  head: {
    title: "Page not found | Bosphorus Dental Implant Clinic",
    description: "There is no page at this address.",
  },
  title: "404 Page Not Found",
  line: "Did you forget to add the page to the router?",
  home: "Return to Homepage",
} as const;
