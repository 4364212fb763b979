import { beforeEach, expect, it, vi } from "vitest";
import { forgetDraft, keepDrafts, restoreDraft, restoreDrafts } from "./draft";

beforeEach(() => keepDrafts());

function page(): HTMLFormElement {
  document.body.innerHTML = `<form data-draft="enquiry"><input name="name"><textarea name="message"></textarea>
    <select name="countryCode"><option value="+44">UK</option><option value="+90">Türkiye</option></select>
    <input type="checkbox" name="marketing" value="v1"><input type="hidden" name="key"></form>
    <form><input name="name"></form>`;
  return document.querySelector("form") as HTMLFormElement;
}

const valuesOf = (form: HTMLFormElement) => Object.fromEntries(new FormData(form));

function type(form: HTMLFormElement): void {
  const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
  field("name").value = "Ada";
  field("message").value = "How long?";
  field("countryCode").value = "+90";
  field("marketing").checked = true;
  field("key").value = "secret";
  field("name").dispatchEvent(new Event("input", { bubbles: true }));
}

it("gives back what was typed after a reload, but for what the script had filled in", () => {
  type(page());
  const form = page();
  restoreDrafts();
  expect(valuesOf(form)).toEqual({
    name: "Ada",
    message: "How long?",
    countryCode: "+90",
    marketing: "v1",
    key: "",
  });
  expect(valuesOf(document.forms[1] as HTMLFormElement)).toEqual({ name: "" });
  // What stands in a field already is never written over.
  (form.elements.namedItem("name") as HTMLInputElement).value = "Grace";
  restoreDraft(form);
  expect(valuesOf(form)).toMatchObject({ name: "Grace", message: "How long?" });
});

it("keeps nothing of other forms, and nothing after it was sent", () => {
  type(page());
  const other = document.forms[1]?.elements.namedItem("name") as HTMLInputElement;
  other.value = "Eve";
  other.dispatchEvent(new Event("input", { bubbles: true }));
  expect(Object.keys(sessionStorage)).toEqual(["enquiry_draft"]);
  forgetDraft("enquiry");
  const form = page();
  restoreDrafts();
  expect(valuesOf(form).name).toBe("");
});

it("costs nothing where storage is forbidden", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new Error("forbidden");
  });
  vi.spyOn(console, "warn").mockImplementation(() => {});
  expect(() => type(page())).not.toThrow();
});
