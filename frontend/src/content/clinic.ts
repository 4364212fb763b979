/** Who the clinic is. Placeholders: replace every value here. Phone and WhatsApp number are deployment settings. */
export const clinic = {
  name: { first: "Bosphorus", rest: "Dental Implant Clinic" },
  fullName: "Bosphorus Dental Implant Clinic",
  city: "Istanbul",
  address: "Sample Street 1, 34000 Istanbul, Türkiye",
  hours: "Monday to Saturday, 09:00 to 19:00 (Istanbul time)",
} as const;
