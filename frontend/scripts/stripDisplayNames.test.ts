import { expect, it } from "vitest";
import { stripDisplayNames } from "./stripDisplayNames";

it("strips a component's display name, and marks the component as free of side effects", () => {
  const code = 'var Form = React10.forwardRef(\n  draw\n);\nForm.displayName = "Form";\nuse(Form);';
  expect(stripDisplayNames(code)).toBe(
    "var Form = /* @__PURE__ */ React10.forwardRef(\n  draw\n);\n\nuse(Form);",
  );
});

it("leaves everything else as it is", () => {
  const code = 'page.title = "Form";\n  FetcherForm2.displayName = name;\nconst draw = forwardRefs(all);';
  expect(stripDisplayNames(code)).toBe(code);
});
