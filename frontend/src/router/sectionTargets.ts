/** Which section of its page a path leads to. Apart from the routes, for the list to go live (scripts/content/goLive.ts). */

export const HOME_SECTIONS: Record<string, string> = {
  "/pricing": "premium-treatments",
  "/offers": "special-offers",
  "/testimonials": "video-testimonials",
  "/comparison": "price-comparison",
  "/journey": "patient-journey",
  "/clinic": "clinic-showcase",
  "/results": "before-after-gallery",
  "/promotions": "special-promotions",
};

/** Below each landing page's address. */
export const LANDING_SECTIONS: Record<string, string> = {
  clinic: "clinic-showcase",
  implants: "premium-implants",
  results: "before-after-gallery",
  testimonials: "patient-testimonials",
  prices: "premium-treatments",
  pricing: "why-choose-turkey",
  "why-us": "why-choose-us",
  journey: "patient-journey",
  contact: "contact-form",
};

/** Sections that are left out until one of their entries is real, each with what its paths lead to meanwhile. */
export const INSTEAD: Record<string, string> = {
  "before-after-gallery": "clinic-showcase",
  "video-testimonials": "why-choose-us",
  "patient-testimonials": "why-choose-us",
  "premium-implants": "premium-treatments",
};
