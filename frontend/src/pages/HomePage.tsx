import { home } from "@/content/home";
import { leadForm, reassurances } from "@/content/leadForm";
import { site } from "@/content/site";
import { FormBlock } from "@/sections/FormBlock";
import { Hero } from "@/sections/Hero";
import { PageFrame } from "@/sections/PageFrame";

const SOURCES = { header: "header-landing", footer: "footer-landing", bottomBar: "sticky-footer-landing" };

export function HomePage() {
  return (
    <PageFrame words={site} sources={SOURCES}>
      <Hero words={home.hero} source="hero-section-landing" />
      <FormBlock words={leadForm} reassurances={reassurances} source="contact-form-landing" />
    </PageFrame>
  );
}
