/**
 * What typed, pasted or filled-in text means, for the page and for the API alike (leads/text.py). Both read
 * tests/typed_values.json.
 */

/** Marks and blanks that nobody sees. They come along when a number or an address is copied. */
const MARKS = /[\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0]/g;
/** Joiners are part of Persian and Hindi words, and of emoji; anywhere else they are only invisible. */
const LOOSE_JOINERS = /(?<![\p{L}\p{M}\p{S}])[\u200c\u200d]+|[\u200c\u200d]+(?![\p{L}\p{M}\p{S}\u200c\u200d])/gu;
const JOINERS = /[\u200c\u200d]/g;

/** A name or a message. */
export function cleanText(typed: string): string {
  return typed.replace(MARKS, "").replace(LOOSE_JOINERS, "").trim();
}

/** An e-mail address or a number: wide letters and letters in two characters become the usual ones. */
export function cleanAddress(typed: string): string {
  return typed.replace(MARKS, "").replace(JOINERS, "").normalize("NFKC").trim();
}

const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code));

/** The digits of a script follow each other, from its zero on. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (isDigit(zero - 1)) {
    zero -= 1;
  }
  return String((code - zero) % 10);
}

/** A telephone number, with the digits of any script as 0 to 9 and a plus of any width as +. */
export function cleanPhone(typed: string): string {
  return cleanAddress(typed).replace(/\p{Nd}/gu, asciiDigit);
}
