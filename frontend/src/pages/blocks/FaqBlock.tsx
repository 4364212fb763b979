import { faqWords } from "@/content/faq";
import { Faq } from "@/sections/Faq";

export function FaqBlock() {
  return <Faq words={faqWords} />;
}
