import { offers } from "#content/offers.yaml";
import { shown } from "@/content/claims";
import { leadForm } from "@/content/leadForm";
import { useSamples } from "@/lib/settings";
import { useRunning } from "@/lib/useRunning";

/** The words of the form. Its title speaks of an offer only while one runs, wherever it is shown. */
export function useFormWords() {
  const { running } = useRunning(shown(offers, useSamples()));
  return running.length > 0 ? leadForm : { ...leadForm, title: leadForm.titleAlone };
}
