/** The form of a landing page's hero and what stands beside it, with their words: one chunk, fetched after the page. */
import { beside, reassurances } from "#content/lead-form.yaml";
import { LeadFormCard } from "@/features/lead-form/LeadForm";
import { Reassurances } from "@/sections/Reassurances";
import { useFormWords } from "./useFormWords";

export function LandingForm() {
  return <LeadFormCard words={useFormWords()} />;
}

export function LandingReassurances({ source }: { source: string }) {
  return <Reassurances title={beside} lines={reassurances} source={source} />;
}
