/** Words around every long text. */
export const legalPage = {
  versionLabel: "Version",
  from: "in force since",
  contents: "On this page",
  home: "Return to Homepage",
} as const;
