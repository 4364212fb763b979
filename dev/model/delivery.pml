/* Delivery: two rows, two workers, the sweep, an operator, an eraser, and a CRM whose replies may be lost.

Each step below is one statement of the product (one transaction), or one call. How a row's state changes is not
written here but in transitions.py, from which transitions.pml is made. Time is abstract: a row that waits may be due
at any moment, and a worker may stop between any two steps for as long as the others need.

Each broken variant (-DNAME) leaves out one rule; the comment behind an assertion names the property. */

#include "transitions.pml"


mtype:phase = { IDLE, CLAIMED, CALLING, MARKING };
mtype:result = { ANSWERED, FAILED, PUT_OFF };
mtype:role = { PLAIN, KILLER, REFUSED };

typedef Row {
    mtype:status status;
    unsigned tries : 2;
    unsigned losses : 2;
    unsigned killed : 2;
    /* The lease's token (next_retry_at) stands for the claim that wrote it. A worker has one claim at a time, so its
       number will do: w + 1, or GONE once that worker has died. */
    unsigned lease : 2;
    /* The evidence about the last claim: its call began, alone in its process; another worker died meanwhile. */
    bit began;
    bit alone;
    bit storm;
    bit tried; /* claimed at least once, so that the CRM may have it */
    bit watched; /* erased here, and its records in the CRM are still to be deleted */
    bit sent; /* was sent once */
}

typedef Worker {
    mtype:phase phase;
    mtype:result result;
    bit mine[2];
    bit solo; /* the claimed row is to be sent alone */
    bit alone; /* and nothing else is in flight in the process */
}

#define GONE 3

Row row[2];
Worker worker[2];
byte records[2]; /* the CRM's records with the row's event id */
bit late[2]; /* a call without a reply that the CRM may still carry out */
mtype:role role; /* of row 1; row 0 is plain */
bit late_calls; /* a call that its worker gave up may still be carried out */
bit one_process; /* the two workers are threads of one process */
byte to_erase = 2; /* the row that a person wants erased; 2: none */

/* What may still go wrong in this run. */
byte coincidences; /* kills, freezes and marks given up, each of which nothing but the row it hits explains */
byte storms; /* deaths of all workers at once */
byte troubles; /* calls that fail, whose reply is lost, or that are carried out late */
byte doubled_marks; /* marks written twice, because the first one's reply was lost */
byte slow_calls; /* calls that outlast the patience of a row that is to be sent alone */
byte redrives;

#define other(i) (1 - (i))
#define busy(w) (worker[w].phase != IDLE)
#define has(w, r) (worker[w].mine[r])
#define is_alone(r) (row[r].losses >= LOST_LEASES_ALONE)
#define holds(w, r) (row[r].status == SENDING && row[r].lease == (w) + 1)
#define in_hand(r) ((row[r].lease == 1 && has(0, r)) || (row[r].lease == 2 && has(1, r)))
#define is_leased(r) (row[r].lease == 1 || row[r].lease == 2)
#define in_a_call(r) ((has(0, r) && worker[0].phase != MARKING) || (has(1, r) && worker[1].phase != MARKING) || late[r])
#define refused(r) ((r) == 1 && role == REFUSED)
#define killer(r) ((r) == 1 && role == KILLER)

#define batchable(r) (may_claimed(r) && !is_alone(r))
#define holds_alone(r) (row[r].status == SENDING && is_alone(r) && in_hand(r))
#ifdef NOALONE
#define solo(r) (may_claimed(r) && is_alone(r))
#define together ((batchable(0) && batchable(1)) || (solo(0) && solo(1)))
#else
#define solo(r) (may_claimed(r) && is_alone(r) && !holds_alone(other(r)))
#define together (batchable(0) && batchable(1))
#endif
#define kept_out(w) (one_process && worker[other(w)].alone)
/* The workers are alike: while none is busy or has a lease, it does not matter which one claims. */
#define may_claim(w) (!busy(w) && !kept_out(w) && (w == 0 || busy(0) || is_leased(0) || is_leased(1)))

#ifdef NOFENCE
#define fence(w, r) (row[r].status == SENDING)
#else
#define fence(w, r) (holds(w, r))
#endif

inline look_at(r) {
    assert(!row[r].sent || row[r].status == SENT || row[r].status == ERASED) /* success is monotone */
}

inline forget_evidence(r) {
    row[r].began = 0; row[r].alone = 0; row[r].storm = 0
}

inline end_lease(r) {
    row[r].lease = 0; forget_evidence(r); look_at(r);
    if
    :: row[r].status == SENT || row[r].status == DEAD -> /* its counters decide nothing any more */
        row[r].tries = 0; row[r].losses = 0; row[r].killed = 0
    :: else
    fi
}

inline store(r) {
    if
    :: refused(r)
    :: else ->
        printf("CRM: stores row %d\n", r);
#ifdef NOUPSERT
        records[r] = records[r] + 1;
#else
        records[r] = 1;
#endif
        assert(records[r] <= 1) /* nothing is doubled */
    fi
}

inline take(w, r) {
    printf("worker %d: claims row %d\n", w, r);
    on_claimed(r);
    row[r].lease = w + 1; row[r].tried = 1; forget_evidence(r);
    worker[w].solo = worker[w].solo || is_alone(r);
    worker[w].mine[r] = 1
}

inline note_call(w, r) {
    if
    :: has(w, r) && holds(w, r) -> row[r].began = 1; row[r].alone = worker[w].alone
    :: else
    fi
}

/* A row that is sent alone waits for the process's other calls, and loses patience when one of them is slow. */
#ifdef IMPATIENT
#define loses_patience(w) (true)
#else
#define loses_patience(w) (slow_calls > 0 || worker[other(w)].solo)
#endif
#ifdef NOPROCESS
#define must_wait(w) (false)
#else
#define must_wait(w) (worker[w].solo && one_process && busy(other(w)))
#endif

/* crm_calls gets its row before the request goes out. */
inline begin_call(w) {
    if
    :: must_wait(w) -> slow_calls = (slow_calls > 0 -> slow_calls - 1 : 0)
    :: else -> worker[w].alone = worker[w].solo
    fi;
    note_call(w, 0); note_call(w, 1);
    printf("worker %d: begins its call (alone: %d)\n", w, worker[w].alone);
    worker[w].phase = CALLING
}

inline store_all(w) {
    if :: has(w, 0) -> store(0) :: else fi;
    if :: has(w, 1) -> store(1) :: else fi
}

inline call(w) {
    if
    :: printf("worker %d: is answered\n", w); store_all(w); worker[w].result = ANSWERED
    :: troubles > 0 -> troubles--; printf("worker %d: the reply is lost\n", w);
        store_all(w); worker[w].result = FAILED
    :: troubles > 0 -> troubles--; printf("worker %d: the call fails, but may be done late\n", w);
        late[0] = late[0] || has(w, 0); late[1] = late[1] || has(w, 1); worker[w].result = FAILED
    :: troubles > 0 -> troubles--; printf("worker %d: the CRM takes no calls now\n", w); worker[w].result = PUT_OFF
    fi;
    worker[w].phase = MARKING
}

inline mark_failure(w, r) {
    assert(holds(w, r)); /* a lease is ended only by its holder or the sweep */
    if
    :: worker[w].result == ANSWERED -> on_rejected(r)
    :: worker[w].result == PUT_OFF -> on_deferred(r)
    :: worker[w].result == FAILED -> on_retryable(r)
#ifdef NOTRIES
    :: worker[w].result == FAILED ->
        assert(may_exhausted(r)); /* a row is given up only after all its tries */
        on_exhausted(r)
#else
    :: worker[w].result == FAILED && may_exhausted(r) -> on_exhausted(r) /* 72 h old by now */
#endif
    fi;
    end_lease(r)
}

inline mark(w, r) {
    if
    :: !has(w, r)
    :: has(w, r) && worker[w].result == ANSWERED && !refused(r) ->
        if
        :: may_delivered(r) -> on_delivered(r); row[r].sent = 1; end_lease(r);
            assert(records[r] == 1) /* a sent row is in the CRM */
        :: else -> printf("worker %d: is fenced off row %d\n", w, r)
        fi
    :: has(w, r) && !(worker[w].result == ANSWERED && !refused(r)) ->
        if
        :: fence(w, r) -> mark_failure(w, r)
        :: else -> printf("worker %d: is fenced off row %d\n", w, r)
        fi
    fi
}

inline drop(w) {
    worker[w].mine[0] = 0; worker[w].mine[1] = 0; worker[w].solo = 0; worker[w].alone = 0;
    worker[w].result = 0;
    worker[w].phase = IDLE
}

/* A process has died: was it the one of the row's last claim, or another one? */
inline note_death(w, r) {
    if
    :: row[r].status != SENDING
    :: row[r].status == SENDING && (row[r].lease == w + 1 || (one_process && row[r].lease != GONE)) ->
        row[r].lease = GONE
    :: row[r].status == SENDING && (row[r].lease == GONE || (!one_process && row[r].lease != w + 1)) ->
        row[r].storm = 1
    fi
}

inline leave_request(w, r) {
    if
    :: has(w, r) && worker[w].phase == CALLING && late_calls -> late[r] = 1
    :: true
    fi
}

inline die(w) {
    printf("worker %d: dies\n", w);
    leave_request(w, 0); leave_request(w, 1);
    if :: one_process -> leave_request(other(w), 0); leave_request(other(w), 1); drop(other(w)) :: else fi;
    drop(w);
    note_death(w, 0); note_death(w, 1)
}

proctype Work(bit w) {
end:
    do
    :: atomic { may_claim(w) && (batchable(0) || solo(0)) -> take(w, 0); worker[w].phase = CLAIMED }
    :: atomic { may_claim(w) && (batchable(1) || solo(1)) -> take(w, 1); worker[w].phase = CLAIMED }
    :: atomic { may_claim(w) && together -> take(w, 0); take(w, 1); worker[w].phase = CLAIMED }
    :: atomic { worker[w].phase == CLAIMED && (!must_wait(w) || loses_patience(w)) -> begin_call(w) }
    :: atomic { worker[w].phase == CALLING && !(has(w, 1) && killer(1)) -> call(w) }
    :: atomic { worker[w].phase == CALLING && has(w, 1) && killer(1) -> die(w) }
    :: atomic { worker[w].phase == MARKING -> mark(w, 0); mark(w, 1); drop(w) }
    :: atomic { worker[w].phase == MARKING && doubled_marks > 0 ->
        doubled_marks--; mark(w, 0); mark(w, 1) }
    :: atomic { worker[w].phase == MARKING && coincidences > 0 ->
        coincidences--; printf("worker %d: gives up its mark\n", w); drop(w) }
    :: atomic { busy(w) && coincidences > 0 -> coincidences--; die(w) }
    :: atomic { w == 0 && storms > 0 && !one_process && (busy(0) || busy(1)) -> storms--; die(0); die(1) }
    od
}

inline charge(r, is_proof) {
    assert(row[r].began); /* nothing is charged that was not sent */
    if
    :: is_proof ->
        on_lost_alone(r);
        assert(row[r].status != DEAD || killer(r)) /* an innocent row is never dead */
    :: else -> on_lost(r)
    fi
}

#ifdef INNOCENT
#define is_proof(r) (is_alone(r))
#elif defined(NOSTORM)
#define is_proof(r) (row[r].alone && row[r].lease == GONE)
#else
#define is_proof(r) (row[r].alone && row[r].lease == GONE && !row[r].storm)
#endif

#ifdef NOBEGIN
#define had_begun(r) (true)
#else
#define had_begun(r) (row[r].began)
#endif

inline take_back(r) {
    if
    :: had_begun(r) -> charge(r, is_proof(r))
    :: else -> on_lost_unsent(r)
    fi;
    end_lease(r)
}

/* A lease has run out when its worker is gone or has given up the mark. One that is still at it was frozen; whether
   it counts as gone depends on its ticks. */
proctype Sweep(bit r) {
end:
    do
#ifdef UNSEND
    :: row[r].status == SENDING && !in_hand(r) ->
        atomic { printf("sweep: takes back row %d\n", r); row[r].status = RETRYING; end_lease(r) }
    :: atomic { row[r].status == SENDING && in_hand(r) && coincidences > 0 -> coincidences-- };
        atomic { printf("sweep: takes back row %d\n", r); row[r].status = RETRYING; end_lease(r) }
#elif defined(NOSWEEP)
    :: false
#else
    :: atomic { row[r].status == SENDING && !in_hand(r) -> take_back(r) }
    :: atomic { row[r].status == SENDING && in_hand(r) && coincidences > 0 ->
        coincidences--;
        printf("row %d: its lease runs out while its worker is frozen\n", r);
        if :: row[r].lease = GONE :: true fi;
        take_back(r) }
#endif
    od
}

proctype Operate() {
end:
    do
    :: atomic { redrives > 0 && row[1].status == DEAD -> redrives--; on_redriven(1) }
    :: atomic { to_erase == 0 -> to_erase = 2; on_erased(0); row[0].watched = row[0].tried; end_lease(0) }
    :: atomic { to_erase == 1 -> to_erase = 2; on_erased(1); row[1].watched = row[1].tried; end_lease(1) }
    od
}

/* The CRM is watched until no call can store an erased row any more: the lease of a call in flight, and a grace. */
#ifdef NOGRACE
#define watch_is_over(r) (true)
#else
#define watch_is_over(r) (!in_a_call(r))
#endif

proctype Elsewhere(bit r) {
end:
    do
    :: atomic { late[r] -> late[r] = 0; store(r) }
    :: atomic { late[r] -> late[r] = 0 }
    :: atomic { row[r].watched && watch_is_over(r) ->
        printf("eraser: deletes what the CRM has of row %d\n", r); records[r] = 0; row[r].watched = 0 }
    od
}

#define is_over(r) ((row[r].status == SENT && records[r] == 1) || row[r].status == DEAD \
    || (row[r].status == ERASED && !row[r].watched && records[r] == 0))

inline any_role() {
    if :: role = PLAIN :: role = KILLER :: role = REFUSED fi
}

/* What goes wrong: deaths; or lost replies and an erasure; or lost replies, marks written twice, and a redrive. */
#ifdef LIVE
/* A run without end would show with few troubles, too. */
ltl every_row_ends { <>[] (is_over(0) && is_over(1)) }
inline choose() {
    if
    :: role = KILLER; coincidences = 1
    :: any_role(); troubles = 1; if :: to_erase = 1 :: true fi
    fi
}
#else
inline choose() {
    if
    :: role = KILLER; coincidences = 2; storms = 2; redrives = 1
    :: any_role(); coincidences = 1; troubles = 1; late_calls = 1; if :: to_erase = 0 :: to_erase = 1 fi
    :: any_role(); coincidences = 1; troubles = 1; doubled_marks = 1; redrives = 1; late_calls = 1
    fi
}
#endif

proctype End() {
    timeout ->
    assert(row[0].status != ERASED || records[0] == 0); /* an erased row never comes back */
    assert(row[1].status != ERASED || records[1] == 0); /* an erased row never comes back */
    assert(is_over(0) && is_over(1)) /* nothing is lost */
}

init {
    atomic {
        row[0].status = PENDING; row[1].status = PENDING;
        worker[0].phase = IDLE; worker[1].phase = IDLE;
        choose();
        if :: one_process = 1; slow_calls = 1 :: true fi;
        run Work(0); run Work(1); run Sweep(0); run Sweep(1); run Operate(); run Elsewhere(0); run Elsewhere(1);
        run End()
    }
}
