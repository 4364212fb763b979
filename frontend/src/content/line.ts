/** What the clinic does, in one sentence. */
export const line = "Dental implants and crowns in Istanbul, planned with you before you travel.";
