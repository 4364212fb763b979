import { useEffect, useState } from "react";
import { FORM_SECTION, HERO_ACTIONS } from "@/components/places";

const FORM = `#${FORM_SECTION}`;
/** An open on-screen keyboard takes at least this share of the window's height. */
const KEYBOARD_SHARE = 0.25;

/** Shown once the hero's buttons have left the view; hidden while the form is on screen or the keyboard is open. */
export function useBottomBarShown(): boolean {
  /** Null until the observer has reported once. */
  const [inView, setInView] = useState<ReadonlySet<Element> | null>(null);
  const [keyboard, setKeyboard] = useState(false);

  useEffect(() => {
    const watched = [`#${HERO_ACTIONS}`, FORM].flatMap((place) => document.querySelector(place) ?? []);
    const observer = new IntersectionObserver((entries) => {
      setInView((before) => {
        const after = new Set(before ?? []);
        for (const { target, isIntersecting } of entries) {
          isIntersecting ? after.add(target) : after.delete(target);
        }
        return after;
      });
    });
    for (const element of watched) {
      observer.observe(element);
    }
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const viewport = window.visualViewport;
    const measure = () =>
      setKeyboard(viewport ? viewport.height * viewport.scale < window.innerHeight * (1 - KEYBOARD_SHARE) : false);
    viewport?.addEventListener("resize", measure);
    return () => viewport?.removeEventListener("resize", measure);
  }, []);

  return inView?.size === 0 && !keyboard;
}
