import { forgetAttribution, persistAttribution } from "@/lib/attribution";
import { type Consent, onConsent } from "@/lib/consent";

function follow({ choice }: Consent): void {
  if (choice.advertising !== undefined) {
    choice.advertising ? persistAttribution() : forgetAttribution();
  }
}

/** Keeps the campaign that brought the visitor in the browser, or removes it, as they choose about advertising. */
export function keepCampaign(consent: Consent | null): void {
  if (consent) {
    follow(consent);
  }
  onConsent(follow);
}
