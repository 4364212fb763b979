export const notFound = {
  title: "404 Page Not Found",
  line: "Did you forget to add the page to the router?",
  home: "Return to Homepage",
} as const;
