/** Requests to our own API: JSON bodies, with credentials, without retry and cache. */
import type { Api } from "@/api/types";

/** Any answer outside 200 to 299. The message is "<status>: <body, or status text when it is empty>". */
export class HttpError extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    this.name = "HttpError";
    this.status = status;
    this.body = body;
  }
}

/** Whether the server had too many requests from this visitor or network. */
export function isLimited(cause: unknown): boolean {
  return cause instanceof HttpError && cause.status === 429;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Lets the request outlive the page, where the body is small enough for that. */
  keepalive?: boolean;
}

/** Fetch refuses keepalive bodies above 64 KiB in all, those still under way included. */
const MAX_KEPT_ALIVE_BYTES = 60 * 1024;

async function refuseFailure(response: Response): Promise<void> {
  if (!response.ok) {
    throw new HttpError(response.status, response.statusText, await response.text());
  }
}

/** Sends `body` as JSON. Throws HttpError, or TypeError when there is no network. */
export async function write(
  method: "POST" | "PUT" | "PATCH" | "DELETE",
  url: string,
  body: unknown,
  { headers = {}, keepalive = false, ...options }: RequestOptions = {},
): Promise<Response> {
  const text = JSON.stringify(body);
  const response = await fetch(url, {
    ...options,
    keepalive: keepalive && new Blob([text]).size < MAX_KEPT_ALIVE_BYTES,
    method,
    credentials: "include",
    headers: { "Content-Type": "application/json", ...headers },
    body: text,
  });
  await refuseFailure(response);
  return response;
}

type PostPath = { [Path in keyof Api]: Api[Path] extends { body: object } ? Path : never }[keyof Api];

/** `Body`, where a name that the schema does not have, at any depth, is an error: the API ignores unknown names. */
type Known<Body, Schema> = Body extends object
  ? { [Name in keyof Body]: Name extends keyof Schema ? Known<Body[Name], NonNullable<Schema[Name]>> : never }
  : Body;

/** The names of an answer's fields. Their values are unknown until they are checked. */
export type Unchecked<Path extends keyof Api> = Partial<Record<keyof Api[Path]["answer"], unknown>>;

/** `write` to one of the API's paths, with the names and types of the body checked by the compiler. */
export function post<Path extends PostPath, Body extends Api[Path]["body"]>(
  path: Path,
  body: Body & Known<Body, Api[Path]["body"]>,
  options?: RequestOptions,
): Promise<Response> {
  return write("POST", path, body, options);
}

export interface ReadOptions extends Pick<RequestOptions, "signal"> {
  /** The result of a 401: an error (the default), or null. */
  on401?: "throw" | "null";
}

/** Reads JSON from the address that the key's segments make, joined by slashes. */
export async function read(
  key: readonly string[],
  { on401 = "throw", ...options }: ReadOptions = {},
): Promise<unknown> {
  const response = await fetch(key.join("/"), { ...options, credentials: "include" });
  if (response.status === 401 && on401 === "null") {
    return null;
  }
  await refuseFailure(response);
  return response.json();
}
