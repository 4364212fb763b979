/** The shape of the words that a page hands to the form. */
export interface ComplaintFormWords {
  requiredNote: string;
  labels: { name: string; email: string; text: string };
  hints: { email: string; text: string };
  submit: string;
  sending: string;
  summary: { one: string; many: string };
  failure: { text: string; again: string; toast: { title: string; description: string } };
  notice: string;
  withoutScript: string;
}
