/**
 * Writes src/api/types.ts from the OpenAPI document on standard input; with --check, fails where the file differs.
 * `make fix` and `make lint` call it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const FILE = fileURLToPath(new URL("../src/api/types.ts", import.meta.url));
const BANNER = "/** The API's bodies and answers, generated from its OpenAPI document by `make fix`. Do not edit. */";

/**
 * OpenAPI 3.0 as JSON Schema: `nullable` becomes a type. An object whose properties are listed is closed, so that the
 * compiler refuses unknown names, which the API ignores. Texts are left out: they may change without a new type.
 */
function jsonSchemaOf(schema) {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    return schema;
  }
  const { nullable, description: _description, example: _example, properties, items, ...rest } = schema;
  const { type, additionalProperties = true } = rest;
  return {
    ...rest,
    ...(nullable && { type: [type, "null"] }),
    ...(items && { items: jsonSchemaOf(items) }),
    ...(properties && { properties: mapped(properties, jsonSchemaOf) }),
    ...(type === "object" && { additionalProperties: !properties && jsonSchemaOf(additionalProperties) }),
  };
}

function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

function closed(title, properties) {
  return {
    ...(title && { title }),
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

const schemaOf = ({ content } = {}) => content?.["application/json"].schema;

/** One path's request body, where it takes one, and its answer on success; null where it has nothing to say. */
function operationOf({ get, post }) {
  const { requestBody, responses } = post ?? get;
  const body = schemaOf(requestBody);
  const answer = schemaOf(responses[201] ?? responses[200]) ?? { type: "null" };
  return closed("", { ...(body && { body }), answer });
}

const { paths, components } = await json(process.stdin);
const schemas = mapped(components.schemas, (schema, title) => ({ ...jsonSchemaOf(schema), title }));
const types = await compile({ ...closed("Api", mapped(paths, operationOf)), components: { schemas } }, "Api", {
  bannerComment: BANNER,
  style: { printWidth: 110, trailingComma: "all" },
});

if (!process.argv.includes("--check")) {
  writeFileSync(FILE, types);
} else if (readFileSync(FILE, "utf8") !== types) {
  console.error("src/api/types.ts differs from the API's OpenAPI document. Run: make fix");
  process.exitCode = 1;
}
