import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { keepFragmentsFromRouter } from "./fragments";

const told = vi.fn();

beforeAll(() => {
  keepFragmentsFromRouter();
  window.addEventListener("popstate", told);
});
beforeEach(() => {
  window.history.pushState(null, "", "/");
  told.mockReset();
});

/** What the browser does: the address changes, then it says so. */
function moveTo(address: string): void {
  History.prototype.pushState.call(window.history, null, "", address);
  window.dispatchEvent(new PopStateEvent("popstate"));
}

it("does not tell the router of a place on the page, nor of the way back", () => {
  moveTo("/#contact-form");
  moveTo("/");
  expect(told).not.toHaveBeenCalled();
});

it.each(["/pricing", "/?reference=1", "/pricing#contact-form"])("tells it of another page: %s", (address) => {
  moveTo(address);
  expect(told).toHaveBeenCalledOnce();
});

it("tells it of Back from a page that was asked for and not shown yet", () => {
  moveTo("/#contact-form");
  window.history.pushState(null, "", "/thank-you");
  moveTo("/#contact-form");
  expect(told).toHaveBeenCalledOnce();
});
