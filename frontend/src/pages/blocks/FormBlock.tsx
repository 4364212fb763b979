import { leadForm, reassurances } from "@/content/leadForm";
import { FormBlock as Block } from "@/sections/FormBlock";

export function FormBlock({ source }: { source: string }) {
  return <Block words={leadForm} reassurances={reassurances} source={source} />;
}
