/* The gate: two rows, two workers, an operator, and a CRM that is down or refuses calls for a while.

Each step is one statement of leads/crm_state/gate.py, or one call. The figures are scaled: so many failures over two
rows shut the gate. Time is abstract: a probe may be due at any moment while the gate is shut.

Each broken variant (-DNAME) leaves out one rule; the comment behind an assertion names the property. */

#define FAILURES_TO_SHUT 2
#define SUCCESSES_TO_OPEN 2

mtype:phase = { IDLE, LOOKED, PERMITTED, CALLING, FAILED, REFUSED, ANSWERED };
mtype:reason = { NONE, OUTAGE, LIMIT, PAUSED };
mtype:crm = { WELL, DOWN, REFUSING };

typedef Worker {
    mtype:phase phase;
    bit saw_open; /* the gate as it was read for the permit */
    mtype:reason saw_reason;
    bit saw_failures;
    bit probes;
    bit mine[2];
}

Worker worker[2];
bit waiting[2]; /* rows that wait; a row is sent when it neither waits nor is in a worker's hand */
mtype:crm crm;

bit open;
mtype:reason reason;
bit probe_due;
byte failures, successes;
bit failed[2];

bit is_held; /* a worker died with the probe */
byte arrivals, outages, kills, pauses; /* what may still go wrong */
byte granted; /* probes that were due and not yet taken */
bit is_broad; /* several rows had failed when the gate was shut */
byte answered; /* probes answered in a row */

#define has(w, r) (worker[w].mine[r])
#define all_sent (!waiting[0] && !waiting[1] && worker[0].phase == IDLE && worker[1].phase == IDLE)
#define calm (crm == WELL && reason != PAUSED)

inline end_call(w) {
    worker[w].phase = IDLE; worker[w].saw_open = 0; worker[w].saw_reason = 0; worker[w].saw_failures = 0;
    worker[w].probes = 0; worker[w].mine[0] = 0; worker[w].mine[1] = 0
}

inline put_back(w) {
    waiting[0] = waiting[0] || has(w, 0); waiting[1] = waiting[1] || has(w, 1)
}

inline shut(why) {
    if
    :: reason == PAUSED && why != PAUSED /* a pause outranks every other reason */
    :: else ->
        printf("gate: is shut (%e)\n", why);
        is_broad = (why == OUTAGE && failed[0] && failed[1]);
        open = 0; reason = why; successes = 0; probe_due = 0; granted = 0; answered = 0
    fi
}

inline open_gate() {
    printf("gate: is open\n");
    open = 1; reason = NONE; failures = 0; failed[0] = 0; failed[1] = 0; successes = 0; probe_due = 0; granted = 0;
    is_broad = 0; answered = 0
}

inline look(w) {
    worker[w].saw_open = open; worker[w].saw_reason = reason; worker[w].saw_failures = failures > 0;
    worker[w].phase = LOOKED
}

#ifdef TWOPROBES
#define is_probe_free (true)
#else
#define is_probe_free (!open && reason != PAUSED && probe_due)
#endif

inline permit(w) {
    if
    :: worker[w].saw_open -> worker[w].phase = PERMITTED
    :: !worker[w].saw_open && is_probe_free ->
        assert(granted > 0); /* each probe is sent once */
        granted = 0; probe_due = 0; worker[w].probes = 1; worker[w].phase = PERMITTED;
        printf("worker %d: takes the probe\n", w)
    :: !worker[w].saw_open && !is_probe_free -> end_call(w)
    fi
}

#ifdef NOGATE
#define may_claim(w) (true)
#else
#define may_claim(w) (open || worker[w].probes)
#endif

inline claim(w) {
    if
    :: may_claim(w) && waiting[0] -> worker[w].mine[0] = 1
    :: may_claim(w) && waiting[1] -> worker[w].mine[1] = 1
    :: may_claim(w) && waiting[0] && waiting[1] && !worker[w].probes ->
        worker[w].mine[0] = 1; worker[w].mine[1] = 1
    :: !may_claim(w) || !(waiting[0] || waiting[1])
    fi;
    if
    :: has(w, 0) || has(w, 1) ->
        printf("worker %d: claims %d%d\n", w, has(w, 0), has(w, 1));
        assert(open || worker[w].probes); /* a shut gate lets nothing through but probes */
        waiting[0] = waiting[0] && !has(w, 0); waiting[1] = waiting[1] && !has(w, 1);
        worker[w].phase = CALLING
    :: else -> end_call(w)
    fi
}

inline call(w) {
    if
    :: crm == WELL -> worker[w].phase = ANSWERED
    :: crm == DOWN -> worker[w].phase = FAILED
    :: crm == REFUSING -> worker[w].phase = REFUSED
    fi;
    printf("worker %d: calls, the CRM is %e\n", w, crm)
}

/* Two rows failed, or one of them for a quarter of an hour while nothing else was answered. */
inline fail(w) {
    failures = (failures < FAILURES_TO_SHUT -> failures + 1 : failures); successes = 0; answered = 0;
    failed[0] = failed[0] || has(w, 0); failed[1] = failed[1] || has(w, 1);
    if
    :: !open
#ifdef CHARGED
        -> printf("worker %d: a try is spent\n", w); assert(open) /* a shut gate costs no row a try */
#endif
    :: open && failures >= FAILURES_TO_SHUT -> shut(OUTAGE)
    :: open && !(failures >= FAILURES_TO_SHUT && failed[0] && failed[1]) ->
        printf("worker %d: a try is spent\n", w); assert(open) /* a shut gate costs no row a try */
    fi;
    put_back(w); end_call(w)
}

inline refuse(w) {
    shut(LIMIT); put_back(w); end_call(w)
}

#ifdef ANYANSWER
#define is_evidence(w) (reason != PAUSED)
#elif defined(UNPAUSE)
#define is_evidence(w) (worker[w].probes && (worker[w].saw_reason == reason || reason == PAUSED))
#else
#define is_evidence(w) (worker[w].probes && worker[w].saw_reason == reason && reason != PAUSED)
#endif

inline open_by(w) {
    assert(reason != PAUSED); /* only an operator ends a pause */
    assert(worker[w].probes && worker[w].saw_reason == reason); /* only a probe's answer opens the gate */
    assert(!is_broad || answered >= SUCCESSES_TO_OPEN); /* after an outage, two probes in a row open the gate */
    open_gate()
}

inline note_answer(w) {
    if
    :: is_evidence(w) -> successes++; answered++; probe_due = 1; granted = 1
    :: else
    fi;
    if
    :: !open && is_evidence(w) && (successes >= SUCCESSES_TO_OPEN || !(reason == OUTAGE && failed[0] && failed[1])) ->
        open_by(w)
    :: else ->
        failures = 0;
#ifndef FORGETROWS
        if
        :: open -> failed[0] = 0; failed[1] = 0
        :: else
        fi
#else
        failed[0] = 0; failed[1] = 0
#endif
    fi
}

/* The rows are marked first. Nothing is reported when nothing was wrong as the permit was given. */
inline answer(w) {
    if
    :: worker[w].saw_open && !worker[w].saw_failures
    :: else -> note_answer(w)
    fi;
    end_call(w)
}

/* A probe that was taken is due again after a time, whatever became of it. */
#ifdef HELDPROBE
#define is_time_for_probe (!open && reason != PAUSED && !probe_due && !is_held)
#else
#define is_time_for_probe (!open && reason != PAUSED && !probe_due)
#endif

proctype Work(bit w) {
end:
    do
    :: atomic { worker[w].phase == IDLE && (waiting[0] || waiting[1]) && (open || probe_due) -> look(w) }
    :: atomic { worker[w].phase == LOOKED -> permit(w) }
    :: atomic { worker[w].phase == PERMITTED -> claim(w) }
    :: atomic { worker[w].phase == CALLING -> call(w) }
    :: atomic { worker[w].phase == FAILED -> fail(w) }
    :: atomic { worker[w].phase == REFUSED -> refuse(w) }
    :: atomic { worker[w].phase == ANSWERED -> answer(w) }
    :: atomic { worker[w].phase != IDLE && kills > 0 ->
        kills--; printf("worker %d: dies\n", w); is_held = worker[w].probes; put_back(w); end_call(w) }
    od
}

proctype Time() {
end:
    do
    :: atomic { is_time_for_probe -> probe_due = 1; granted = 1 }
    od
}

proctype Visit() {
end:
    do
    :: atomic { arrivals > 0 && all_sent -> arrivals--; waiting[0] = 1 }
    :: atomic { arrivals > 0 && all_sent -> arrivals--; waiting[1] = 1 }
    od
}

proctype Crm() {
end:
    do
    :: atomic { crm == WELL && outages > 0 -> outages--; if :: crm = DOWN :: crm = REFUSING fi }
    :: atomic { crm != WELL -> crm = WELL }
    od
}

proctype Operate() {
end:
    do
    :: atomic { pauses > 0 -> pauses--; shut(PAUSED) }
    :: atomic { reason == PAUSED -> open_gate() }
    od
}

#ifdef LIVE
ltl every_row_is_sent { <>[] calm -> <>[] all_sent }
#define ARRIVALS 1 /* a run without end would show with little trouble, too */
#define OUTAGES 1
#else
#define ARRIVALS 2
#define OUTAGES 2
#endif

proctype End() {
    timeout ->
    assert(all_sent) /* no shut gate keeps a row for ever */
}

init {
    atomic {
        worker[0].phase = IDLE; worker[1].phase = IDLE; waiting[0] = 1; waiting[1] = 1;
        open = 1; reason = NONE; crm = WELL; arrivals = ARRIVALS; outages = OUTAGES; kills = 1; pauses = 1;
        run Work(0); run Work(1); run Time(); run Crm(); run Operate(); run Visit();
        run End()
    }
}
