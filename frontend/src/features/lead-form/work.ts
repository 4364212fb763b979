/** Proof of work: costs a phone about a second while its owner types, and a program a second for each enquiry. */

/** Digests under way at once: one at a time would mostly wait. */
const AT_ONCE = 64;

/**
 * The number below `below` that makes `challenge`, the SHA-256 of the token and the number in hexadecimal digits. Null:
 * there is none, or the page is not secure, where browsers offer no digests.
 */
export async function findNumber(token: string, challenge: string, below: number): Promise<number | null> {
  const { subtle } = globalThis.crypto;
  if (!subtle) {
    return null;
  }
  const encoder = new TextEncoder();
  // Eight bytes tell one number's digest from all others.
  const [high, low] = [0, 8].map((at) => Number.parseInt(challenge.slice(at, at + 8), 16));
  const isFound = (digest: ArrayBuffer) => {
    const view = new DataView(digest);
    return view.getUint32(0) === high && view.getUint32(4) === low;
  };
  for (let first = 0; first < below; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, below - first) }, (_, place) => first + place);
    const digests = await Promise.all(
      numbers.map((number) => subtle.digest("SHA-256", encoder.encode(`${token}${number}`))),
    );
    const place = digests.findIndex(isFound);
    if (place >= 0) {
      return first + place;
    }
  }
  return null;
}
