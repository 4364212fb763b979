/** The clinic's whole name, from the two lines of its wordmark. Apart, because the build's plugin needs it too. */
export function fullName({ first, rest }: { first: string; rest: string }): string {
  return `${first} ${rest}`;
}
