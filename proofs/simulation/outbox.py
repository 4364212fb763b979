"""The simulation's SQL on the outbox, on its own clock: sim.now() (proofs/simulation/server.py)."""

from __future__ import annotations

import re

# The server tells its client of every change of a row, whatever the product's own log says. Rows that are due at
# one instant are spread over a millisecond: else their physical order, which no seed repeats, would decide who is
# first; the rows of a claim keep their one lease.
CHANGE_STATE = "SIM01"
CHANGES = f"""
CREATE FUNCTION sim.note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(NEW.destination, OLD.destination) = 'zoho' THEN
        RAISE NOTICE USING ERRCODE = '{CHANGE_STATE}', MESSAGE = json_build_object(
            'kind', coalesce(NEW.kind, OLD.kind), 'op', TG_OP, 'id', coalesce(NEW.id, OLD.id),
            'old_status', OLD.status, 'new_status', NEW.status, 'old_due', OLD.next_retry_at,
            'new_due', NEW.next_retry_at, 'lost', NEW.lost_leases, 'error', NEW.last_error, 'record', NEW.record_id,
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
# What the next run finds is what the first one found.
EMPTY = """
CREATE SCHEMA first;
DO $$
DECLARE name text; is_filled boolean; empty text := ''; filled text := '';
BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        -- Nothing of the server's own may happen within a run, which must repeat itself.
        EXECUTE format('ALTER TABLE public.%I SET (autovacuum_enabled = off)', name);
        EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', name) INTO is_filled;
        IF is_filled THEN
            EXECUTE format('CREATE TABLE first.%I AS TABLE public.%I', name, name);
            filled := filled || format('DELETE FROM public.%1$I; INSERT INTO public.%1$I TABLE first.%1$I; ', name);
        ELSE
            empty := concat_ws(', ', nullif(empty, ''), format('public.%I', name));
        END IF;
    END LOOP;
    EXECUTE format('CREATE FUNCTION sim.empty() RETURNS void LANGUAGE sql AS %L',
        'TRUNCATE ' || empty || ' RESTART IDENTITY; ' || filled);
END $$;
"""
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
# What waits although it is due; what failed in an outage; the state of some rows.
LATE = """
SELECT id::text, zoho_status, retry_count, lost_leases, last_error FROM crm_deliveries
WHERE zoho_status IN ('pending', 'retrying') AND lost_leases < 2
  AND next_retry_at < now() - make_interval(secs => %s)
"""
FAILED_IN_OUTAGE = """
SELECT id, retry_count, ceil(greatest(0, extract(epoch FROM next_retry_at - now())) / 60)::int
FROM crm_deliveries WHERE zoho_status = 'retrying' AND lost_leases = 0
  AND split_part(last_error, ':', 1) ~ '^(CONNECT_FAILED|CONNECTION_LOST|TIMEOUT|HTTP_5..|INTERNAL_ERROR)$'
ORDER BY id
"""
CRM_PAUSE = "SELECT reason, until_at <= now() FROM destinations WHERE name = 'zoho'"
# Everything stored is three years old.
EXPIRE_ALL = "UPDATE leads SET created_at = created_at - interval '3 years' RETURNING id"
MESSAGES = "SELECT id, destination, status FROM deliveries WHERE destination <> 'zoho'"
MESSAGES_OWED = """
SELECT count(*) FROM deliveries WHERE destination <> 'zoho' AND status IN ('pending', 'retrying', 'sending')
"""
DESCRIBE = """
SELECT id::text, zoho_status, retry_count, lost_leases, next_retry_at - now(), last_error
FROM crm_deliveries WHERE id = ANY(%s) ORDER BY id
"""
