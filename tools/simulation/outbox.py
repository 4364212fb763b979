"""The simulation's SQL on the outbox, on its own clock: sim.now() (tools/simulation/server.py)."""

import re

from leads.tables import metadata

# The server tells its client of every change of a row, whatever the product's own log says. Rows that are due at
# one instant are spread over a millisecond: else their physical order, which no seed repeats, would decide who is
# first; the rows of a claim keep their one lease. A claim that takes the trial has put the next one off itself.
CHANGE_STATE = "SIM01"
CHANGES = f"""
CREATE FUNCTION sim.note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(NEW.destination, OLD.destination) = 'zoho' THEN
        RAISE NOTICE USING ERRCODE = '{CHANGE_STATE}', MESSAGE = json_build_object(
            'kind', coalesce(NEW.kind, OLD.kind), 'op', TG_OP, 'id', coalesce(NEW.id, OLD.id),
            'old_status', OLD.status, 'new_status', NEW.status, 'old_due', OLD.next_retry_at,
            'new_due', NEW.next_retry_at, 'lost', NEW.lost_leases, 'tries', NEW.retry_count,
            'error', NEW.last_error, 'record', NEW.record_id,
            'is_paused', EXISTS (SELECT FROM destinations WHERE name = 'zoho' AND reason IS NOT NULL
                                 AND coalesce(until_at, 'infinity') > now()
                                 AND xmin <> pg_current_xact_id()::xid),
            'surname', (SELECT surname FROM leads WHERE id = NEW.id));
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION sim.spread_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.next_retry_at := NEW.next_retry_at + abs(hashtext(NEW.id::text)) % 1000 * interval '1 microsecond';
    RETURN NEW;
END $$;
CREATE FUNCTION sim.spread_check() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.check_at := NEW.check_at + abs(hashtext(NEW.id::text)) % 1000 * interval '1 microsecond';
    RETURN NEW;
END $$;
CREATE TRIGGER spread_insert BEFORE INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION sim.spread_due();
CREATE TRIGGER spread_update BEFORE UPDATE ON deliveries FOR EACH ROW
    WHEN (NEW.next_retry_at <> OLD.next_retry_at AND NEW.status <> 'sending') EXECUTE FUNCTION sim.spread_due();
CREATE TRIGGER spread_insert BEFORE INSERT ON erased_rows FOR EACH ROW EXECUTE FUNCTION sim.spread_check();
CREATE TRIGGER spread_update BEFORE UPDATE ON erased_rows FOR EACH ROW
    WHEN (NEW.check_at <> OLD.check_at) EXECUTE FUNCTION sim.spread_check();
CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON deliveries
    FOR EACH ROW EXECUTE FUNCTION sim.note_change();
"""  # noqa: S608 - the state is ours
# What the next run finds is what the first one found. Nothing of the server's own may happen within a run, which
# must repeat itself.
FILLED = ("destinations", "crm_token", "crm_fields")
EMPTY = "\n".join([
    *(f"ALTER TABLE {name} SET (autovacuum_enabled = off);" for name in metadata.tables),
    *(f"CREATE TABLE sim.{name} AS TABLE {name};" for name in FILLED),
    f"CREATE FUNCTION sim.empty() RETURNS void LANGUAGE sql AS $$ TRUNCATE {', '.join(metadata.tables)};",
    *(f"INSERT INTO {name} TABLE sim.{name};" for name in FILLED),
    "$$;",
])  # fmt: skip
# What may change the answer to the next question.
CHANGES_AGENDA = re.compile(r"(UPDATE|INSERT INTO|DELETE FROM) ((crm_)?deliveries|destinations|erased_rows)\b")
# Waiting rows are due at their time, of a paused destination one with its next trial; an operator's pause has none.
NEXT_DUE = """
WITH opens AS (
    SELECT name, CASE WHEN reason IS NULL THEN '-infinity' ELSE coalesce(until_at, 'infinity') END AS at
    FROM destinations
), erasure AS (
    SELECT min(check_at) AS at FROM erased_rows WHERE done_at IS NULL
), next AS (
    SELECT greatest(min(next_retry_at), opens.at) AS at FROM deliveries JOIN opens ON name = destination
        WHERE status IN ('pending', 'sending', 'retrying') GROUP BY destination, opens.at
    UNION ALL SELECT greatest(erasure.at, opens.at) FROM erasure, opens
        WHERE erasure.at IS NOT NULL AND name = 'zoho'
)
SELECT min(at) FROM next WHERE at < 'infinity'
"""
CRM_PAUSE = "SELECT reason, until_at <= now() FROM destinations WHERE name = 'zoho'"
# Everything stored is three years old.
EXPIRE_ALL = "UPDATE leads SET created_at = created_at - interval '3 years' RETURNING id"
MESSAGES = "SELECT id, destination, status FROM deliveries WHERE destination <> 'zoho'"
