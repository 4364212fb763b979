import { act, renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { countryById } from "./countries";
import { useCountryChoice } from "./PhoneField";
import type { LoadedForm } from "./useLeadForm";

it("takes what is chosen in the native select after the list's code has come and before the list is drawn", () => {
  const setCountryCode = vi.fn();
  const chunk = { countryById, guessCountry: () => new Promise(() => {}) };
  const loaded = { chunk, setCountryCode } as unknown as LoadedForm;
  const { result } = renderHook(() => useCountryChoice());
  act(() => result.current.start(loaded, "+44", () => true));
  act(() => result.current.touch("+90"));
  expect(result.current.country.id).toBe("+90");
  expect(setCountryCode).toHaveBeenLastCalledWith("+90");
});
