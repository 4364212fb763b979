/** The words of the form's checks and answers, literal from the product's specification. The API uses the same. */
export const MESSAGES = {
  name: "Name must be at least 2 characters",
  surname: "Surname must be at least 2 characters",
  email: "Please enter a valid email address",
  countryCode: "Please select a country code",
  phoneEmpty: "Please enter your phone number",
  phone: "Please enter a valid phone number",
  phoneTooShort: "Phone number too short",
  phoneForCountry: "Please enter a valid phone number for the selected country",
  tooLong: (limit: number) => `Please use at most ${limit} characters`,
} as const;

export const TOASTS = {
  sent: { title: "Success!", description: "Thank you! We'll contact you within 24 hours." },
  failed: { title: "Error", description: "Failed to submit form. Please try again." },
} as const;

/** Longest input, after trimming. */
export const LIMITS = { name: 80, surname: 80, email: 100, phone: 250, message: 5000 } as const;
