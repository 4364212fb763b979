import { expect, it } from "vitest";
import { unnamed } from "./unnamed";

it("takes a component's name off, and lets it be left out where it is not used", () => {
  const code = 'var Form = React10.forwardRef(\n  draw\n);\nForm.displayName = "Form";\nuse(Form);';
  expect(unnamed(code)).toBe("var Form = /* @__PURE__ */ React10.forwardRef(\n  draw\n);\n\nuse(Form);");
});

it("leaves everything else as it is", () => {
  const code = 'page.title = "Form";\n  FetcherForm2.displayName = name;\nconst draw = forwardRefs(all);';
  expect(unnamed(code)).toBe(code);
});
