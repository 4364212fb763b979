/**
 * What a visitor has typed into a form, kept for this tab until it is sent: phones discard a tab while the visitor looks
 * something up in another app, and a reload empties forms. Where storage is forbidden, nothing is kept.
 */
import { forget, readJson, writeJson } from "./storage";

/** Only forms that say so, by the name under which they are kept. */
const KEPT = "form[data-draft]";
type Draft = Record<string, string>;
type Typed = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const keyOf = (form: HTMLFormElement) => `${form.dataset.draft}_draft`;

function fieldsOf(form: HTMLFormElement): Typed[] {
  return [...form.elements].filter((field): field is Typed => {
    const typed =
      field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement;
    return typed && field.name !== "" && (field.type !== "hidden" || field.name === "countryCode");
  });
}

const isBox = (field: Typed): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio");

/** Boxes of one name differ in their values. */
const nameOf = (field: Typed) => (isBox(field) ? `${field.name}=${field.value}` : field.name);
const typedIn = (field: Typed) => (isBox(field) && !field.checked ? "" : field.value);

function save(form: HTMLFormElement): void {
  const draft: Draft = Object.fromEntries(fieldsOf(form).map((field) => [nameOf(field), typedIn(field)]));
  writeJson("session", keyOf(form), draft);
}

function onInput({ target }: Event): void {
  const form = target instanceof Element && target.closest<HTMLFormElement>(KEPT);
  if (form) {
    save(form);
  }
}

/** Keeps what is typed into the page's forms from now on. May be called again. */
export function keepDrafts(): void {
  window.addEventListener("input", onInput, { capture: true });
  window.addEventListener("change", onInput, { capture: true });
}

/** Fills a form's untouched fields with what was typed into it before. */
export function restoreDraft(form: HTMLFormElement): void {
  const draft = readJson("session", keyOf(form));
  if (typeof draft !== "object" || draft === null) {
    return;
  }
  const kept: Record<string, unknown> = { ...draft };
  for (const field of fieldsOf(form)) {
    const value = kept[nameOf(field)];
    if (typeof value !== "string" || value === "") {
      continue;
    }
    if (isBox(field)) {
      field.checked = true;
    } else if (field instanceof HTMLSelectElement || field.value === "") {
      field.value = value;
    }
  }
}

/** The forms of the page that was loaded, once it is there. */
export function restoreDrafts(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>(KEPT)) {
    restoreDraft(form);
  }
}

/** To be called once it is sent. */
export function forgetDraft(name: string): void {
  forget("session", `${name}_draft`);
}
