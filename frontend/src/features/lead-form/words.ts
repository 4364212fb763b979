/** The texts of the form, which the page passes in. */
export interface LeadFormWords {
  title: string;
  subtitle: string;
  requiredNote: string;
  labels: { name: string; surname: string; email: string; phone: string; message: string };
  hints: { phone: string; message: string };
  country: { button: string; search: string; list: string; none: string; change: string };
  /** `version` is sent when the box is ticked. */
  marketing: { text: string; version: string };
  submit: string;
  sending: string;
  notices: readonly string[];
  summary: { one: string; many: string };
  failure: {
    text: string;
    again: string;
    chat: string;
    call: string;
    toast: { title: string; description: string };
  };
  waiting: { text: string; again: string };
  limited: { text: string; toast: { title: string; description: string } };
  /** When the clinic calls, until the server says it. */
  call: string;
  /** `later`: while the clinic is closed for longer than a day. */
  success: { title: string; description: string; later: string };
}
