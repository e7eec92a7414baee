// SPDX-License-Identifier: MIT
// The protocol of a managed queue: README.md beside this says which script each step is, and what is left out.
//
// JOBS jobs of one batch, under a limit of one unit and one order key, and two workers. The time at which a job was taken is a
// number of its own. A lock is valid, has ended, or is in its grace period, which ends as well.

#ifndef JOBS
#define JOBS 2
#endif
#ifndef FAULTS
#define FAULTS 2
#endif
#ifndef TAKES
#define TAKES 4
#endif
#ifndef RETRIES_LEFT
#define RETRIES_LEFT 1
#endif

mtype:state = { absent, waiting, running, complete, failed, cancelled };
mtype:lock = { unlocked, valid, run_out, in_grace, grace_over };
mtype:call = { none, done, retry, release, heartbeat, cancel };

// --- Redis ----------------------------------------------------------------------------------------------------------

mtype:state state[JOBS] = absent;
mtype:lock lock[JOBS] = unlocked;
byte worker_of[JOBS], since[JOBS], remaining[JOBS];
bool holds[JOBS], has_turn[JOBS];
byte takes, used;              // `used` of the limit
byte pending, ended;           // of the batch: jobs that have not ended, and how often it has ended

// --- workers; what is on its way of a call whose connection was lost ----------------------------------------------------------

bool alive[3], connected[3];   // workers 1 and 2
byte job[3], taken[3];         // what the worker believes that it runs, JOBS for nothing, and since when
mtype:call kind[3] = none;
byte for_job[3], for_time[3];
bool seen[3];                  // a sign of life since the monitor's look: `workers`
byte faults, cancels;

// --- what only the assertions know ------------------------------------------------------------------------------

byte granted[JOBS];              // the time of the run that Redis has given out and not ended, or 0
byte cut[3];

#define is_over(j) (state[j] == complete || state[j] == failed || state[j] == cancelled)

inline check()
{
    byte sum = 0, left = 0;
    j = 0;
    do
    :: j < JOBS ->
        sum = sum + holds[j];
        left = left + !is_over(j);
        assert(state[j] == running || !holds[j]);                    // given back
        assert((state[j] == running) == (lock[j] != unlocked));
        j++
    :: else -> break
    od;
    j = 0;
    assert(sum == used && used <= 1);
    assert(pending == left);
    assert(ended == (left == 0));
    sum = 0; left = 0
}

// parts/leave_batch.lua, parts/finish_batch.lua
inline leave_batch(which)
{
    pending--;
#ifdef BROKEN_batch_ends_early
    if
    :: pending <= 1 -> ended++
    :: else
    fi
#else
    if
    :: pending == 0 -> ended++
    :: else
    fi
#endif
}

// parts/release_limits.lua: a job that will run again keeps its turn
inline free_limits(which, is_last)
{
    if
#ifdef BROKEN_free_twice
    :: state[which] == running -> used--; holds[which] = false
#else
    :: holds[which] -> used--; holds[which] = false
#endif
    :: else
    fi;
#ifndef BROKEN_turn_stays
    has_turn[which] = has_turn[which] && !is_last
#endif
}

inline end_job(which, how)
{
#ifndef BROKEN_limit_stays
    free_limits(which, true);
#endif
    state[which] = how; lock[which] = unlocked; worker_of[which] = 0; granted[which] = 0;
    leave_batch(which)
}

inline go_back(which)
{
    free_limits(which, false);
#ifdef BROKEN_free_twice
    free_limits(which, false);
#endif
    state[which] = waiting; lock[which] = unlocked; worker_of[which] = 0; granted[which] = 0
}

// parts/expire_locks.lua, parts/lost_lock.lua, parts/give_up.lua
inline take_back(which)
{
    if
    :: remaining[which] -> remaining[which]--; go_back(which)
    :: else -> end_job(which, failed)
    fi
}

inline lapse(which)
{
    assert(lock[which] == grace_over); // its worker has had the time to finish
    take_back(which)
}

#if JOBS == 2
#define turn_of(j) (j == 0 || has_turn[1] || (state[0] == absent || is_over(0)) && !has_turn[0])
#else
#define turn_of(j) true
#endif

// parts/take.lua, parts/choose_limited.lua: a job whose lock has ended comes first
inline pop(w)
{
    j = 0; got = JOBS;
    do
    :: j < JOBS ->
        if
#ifdef BROKEN_no_grace
        :: lock[j] == run_out -> lapse(j)
#else
        :: lock[j] == run_out -> lock[j] = in_grace
#endif
        :: lock[j] == grace_over -> lapse(j)
        :: else
        fi;
        j++
    :: else -> break
    od;
    j = 0;
    do
    :: j < JOBS ->
        if
        :: got == JOBS && state[j] == waiting && (used == 0) && turn_of(j) -> got = j
        :: else
        fi;
        j++
    :: else -> break
    od;
    j = 0;
    if
    :: got < JOBS ->
        assert(granted[got] == 0);
        takes++;
        state[got] = running; lock[got] = valid; worker_of[got] = w; since[got] = takes; granted[got] = takes;
        used++; holds[got] = true; has_turn[got] = true
    :: else
    fi;
    seen[w] = true
}

// The first one that has not ended, in the order in which they were put, if none has begun.
#ifdef BROKEN_any_run
#define is_held(i, w) (state[for_job[i]] == running && worker_of[for_job[i]] == w)
#elif defined(BROKEN_any_worker)
#define is_held(i, w) (state[for_job[i]] == running)
#else
#define is_held(i, w) (state[for_job[i]] == running && worker_of[for_job[i]] == w && since[for_job[i]] == for_time[i])
#endif

inline carry_out(w)
{
    if
    :: kind[w] == heartbeat ->
        if
        :: state[for_job[w]] == running && worker_of[for_job[w]] == w -> lock[for_job[w]] = valid; seen[w] = true
        :: else
        fi
    :: kind[w] != heartbeat && is_held(w, w) ->
        assert(granted[for_job[w]] == for_time[w]); // no stale outcome
        if
        :: kind[w] == done -> end_job(for_job[w], complete)
        :: kind[w] == release -> go_back(for_job[w])
        :: kind[w] == retry -> take_back(for_job[w])
        fi
    :: else
    fi;
    kind[w] = none; for_job[w] = 0; for_time[w] = 0;
    check()
}

inline hear(w)
{
    job[w] = JOBS; taken[w] = 0
}

#ifdef BROKEN_late_bytes
#define has_late_bytes true
#else
#define has_late_bytes false
#endif
#define may_fail (faults < FAULTS)
#ifdef LIVE
#define may_die(w) (may_fail && w != 1) // worker 1 lives
#define may_beat (beats < 1)           // no handler runs for ever
#else
#define may_die(w) may_fail
#define may_beat true
#endif

proctype worker(byte self)
{
    byte j, got;
#ifdef LIVE
    byte beats;
#endif
    do
    :: !alive[self] -> break
    :: atomic { alive[self] && connected[self] && job[self] == JOBS && (kind[self] == none || has_late_bytes) && takes < TAKES ->
        d_step { pop(self); check() }
        if
        :: got < JOBS -> job[self] = got; taken[self] = since[got]
        :: got == JOBS
        :: may_fail -> faults++; cut[self] = takes; connected[self] = false // the answer was lost
        fi;
        got = 0 }
    :: atomic { alive[self] && connected[self] && job[self] < JOBS && kind[self] == none ->
        for_job[self] = job[self]; for_time[self] = taken[self];
        if
        :: kind[self] = done
        :: kind[self] = retry
        :: kind[self] = release
        fi;
        if
        :: d_step { carry_out(self); hear(self) }
        :: may_fail -> faults++; cut[self] = takes; connected[self] = false; hear(self)                // late, or never
        :: may_die(self) -> faults++; cut[self] = takes; alive[self] = false; hear(self)
        fi }
    :: d_step { alive[self] && connected[self] && job[self] < JOBS && kind[self] == none && may_beat ->
#ifdef LIVE
        beats++;
#endif
        kind[self] = heartbeat; for_job[self] = job[self];
        if
        :: !(state[job[self]] == running && worker_of[job[self]] == self) -> hear(self) // lock_lost
        :: else
        fi;
        carry_out(self) }
    :: d_step { alive[self] && may_fail && connected[self] -> faults++; cut[self] = takes; connected[self] = false }
    :: d_step { alive[self] && may_die(self) -> faults++; cut[self] = takes; alive[self] = false; hear(self) }
    // A new connection has Redis close the old one, and returns what the worker does not know of: reconcile.lua
    :: d_step { !connected[self] && alive[self] ->
#ifndef BROKEN_late_bytes
        kind[self] = none; for_job[self] = 0; for_time[self] = 0;
#endif
        connected[self] = true;
        got = 0;
        do
        :: got < JOBS ->
            if
            :: state[got] == running && worker_of[got] == self &&
               (job[self] != got || taken[self] != since[got]) -> go_back(got)
            :: else
            fi;
            got++
        :: else -> break
        od;
        got = 0;
        check() }
    od
}

// What the network delivers late
proctype network(byte self)
{
    byte j;
    do
    :: d_step { kind[self] != none -> carry_out(self) }
    :: atomic { !alive[self] && connected[self] -> connected[self] = false }
    od
}

proctype time()
{
    byte k;
    do
    :: atomic { lock[0] == valid -> lock[0] = run_out }
    :: atomic { lock[0] == in_grace -> lock[0] = grace_over }
#if JOBS > 1
    :: atomic { lock[1] == valid -> lock[1] = run_out }
    :: atomic { lock[1] == in_grace -> lock[1] = grace_over }
#endif
    od
}

// recover.lua: the jobs of workers that have no connection, unless they have given a sign of life since the look
proctype monitor()
{
    bool looked;
    byte w, k, j;
    do
    :: atomic { looked == 0 && (!connected[1] || !connected[2]) ->
        if
        :: !connected[1] -> w = 1
        :: !connected[2] -> w = 2
        fi;
        looked = true; seen[w] = false }
    :: d_step { looked ->
        k = 0;
        do
        :: k < JOBS ->
            if
#ifdef BROKEN_ignore_signs_of_life
            :: state[k] == running && worker_of[k] == w ->
#else
            :: state[k] == running && worker_of[k] == w && !seen[w] ->
#endif
                assert(since[k] <= cut[w]); // not from one whose run began after it was back
                take_back(k)
            :: else
            fi;
            k++
        :: else -> break
        od;
        k = 0; looked = false; w = 0;
        check() }
    od
}

proctype client()
{
    byte j, k;
    do
    :: d_step { k < JOBS -> state[k] = waiting; remaining[k] = RETRIES_LEFT; k++ }
    :: d_step { cancels == 0 && k == JOBS -> cancels++;
        if
        :: !is_over(0) -> end_job(0, cancelled)
        :: else
        fi;
        check() }
    :: k == JOBS && cancels -> break
    od
}

init
{
    atomic {
        pending = JOBS;
        job[1] = JOBS; job[2] = JOBS;
        alive[1] = true; alive[2] = true; connected[1] = true; connected[2] = true;
        run worker(1); run worker(2); run network(1); run network(2); run time(); run monitor(); run client()
    }
}

#ifdef LIVE
// The batch ends, if a worker and a monitor live: or the numbers of takes are used up first.
ltl every_job_ends { <> (ended == 1 || takes == TAKES) }
#endif
