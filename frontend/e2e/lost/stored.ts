/** What the product has stored, from its own database: the CRM does not see enquiries that are held. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const ASK = `
import json, os, sys, psycopg
with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
    query = "SELECT reference, phone_e164, held_reason FROM leads WHERE email = %s"
    print(json.dumps(connection.execute(query, sys.argv[1:]).fetchall()))`;

export interface Stored {
  reference: string;
  phone: string;
  heldReason: string | null;
}

export async function storedEnquiries(email: string): Promise<Stored[]> {
  const { stdout } = await promisify(execFile)("python", ["-c", ASK, email]);
  const rows = JSON.parse(stdout) as [string, string, string | null][];
  return rows.map(([reference, phone, heldReason]) => ({ reference, phone, heldReason }));
}
