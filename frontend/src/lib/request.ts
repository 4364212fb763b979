/** The one way to our own API: JSON out, credentials along, no retry, no cache, no refetch. */

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

export interface RequestOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Lets the request outlive the page, where the body is small enough for that. */
  keepalive?: boolean;
}

/** Fetch refuses keepalive bodies above 64 KiB, those still under way counted in. */
const LARGEST_KEPT_ALIVE = 60 * 1024;

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
    keepalive: keepalive && new Blob([text]).size < LARGEST_KEPT_ALIVE,
    method,
    credentials: "include",
    headers: { "Content-Type": "application/json", ...headers },
    body: text,
  });
  await refuseFailure(response);
  return response;
}

export interface ReadOptions extends Pick<RequestOptions, "signal"> {
  /** What a 401 does: throw (the default), or give null. */
  on401?: "throw" | "null";
  credentials?: RequestCredentials;
}

/** Reads JSON from the address that the key's segments make, joined by slashes. */
export async function read(
  key: readonly string[],
  { on401 = "throw", credentials = "include", ...options }: ReadOptions = {},
): Promise<unknown> {
  const response = await fetch(key.join("/"), { ...options, credentials });
  if (response.status === 401 && on401 === "null") {
    return null;
  }
  await refuseFailure(response);
  return response.json();
}
