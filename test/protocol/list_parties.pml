// SPDX-License-Identifier: MIT
// Who calls the steps of list.pml, and what goes wrong.

inline call(w, what, which)
{
    kind[w] = what; called_for[w] = which; in_doubt[w] = doubt[w]; again[w] = repeated[w]; answered[w] = false
}

inline no_call(w)
{
    kind[w] = none; answered[w] = false; answer[w] = 0; refused[w] = false; called_for[w] = 0; in_doubt[w] = false;
    again[w] = false; tries[w] = 0
}

inline forget_run(w)
{
    token[w] = 0; doubt[w] = false; repeated[w] = false; attempt[w] = 0; result[w] = success; at[w] = idle
}

inline begin_run(w)
{
    token[w] = answer[w]; attempt[w] = tries[w]; doubt[w] = false; repeated[w] = false; result[w] = success; at[w] = running
}

inline end_run(w, what)
{
    result[w] = what; at[w] = over_with
}

inline hear(w)
{
    if
    :: kind[w] == fetch && answer[w] -> begin_run(w)
    :: kind[w] == ack -> forget_run(w)
    :: kind[w] == ack_fetch ->
        forget_run(w);
        if
        :: answer[w] -> begin_run(w)
        :: else
        fi
    :: kind[w] == renew && refused[w] -> forget_run(w)
    :: kind[w] == renew && !refused[w] -> token[w] = answer[w]; doubt[w] = false
    :: kind[w] == find && answer[w] && answer[w] != token[w] -> found[w] = answer[w]
    :: kind[w] == find && !(answer[w] && answer[w] != token[w]) -> unsure[w] = false
    :: kind[w] == release -> found[w] = 0; unsure[w] = false
    :: else -> skip
    fi
}

// The connection is gone; Redis may see that later. What was sent, and not carried out, may still arrive.
inline lose_connection(w)
{
    faults++;
    cut[w] = made;
#if MONITORS > 1
    seen_by[w + 1] = 0; seen_by[w + 3] = 0; seen_by[w + 5] = 0;
#endif
    doubt[w] = doubt[w] || kind[w] == renew;
    repeated[w] = repeated[w] || kind[w] == ack || kind[w] == ack_fetch;
    unsure[w] = true;
    found[w] = 0;
    if
    :: kind[w] != none && !answered[w] ->
        kind[w + 2] = kind[w];
        called_for[w + 2] = called_for[w]; in_doubt[w + 2] = in_doubt[w]; again[w + 2] = again[w]
    :: else
    fi;
    no_call(w)
}

inline die(w)
{
    lose_connection(w);
    doubt[w] = false; repeated[w] = false; unsure[w] = false; token[w] = 0; at[w] = gone;
    if
    :: is_displaced(w) -> excused++; granted[w] = 0
    :: else
    fi
}

#define has_room (made < TOKENS - 1)
#define may_fail (faults < FAULTS)
#ifdef LIVE
#define may_die(w) (may_fail && w != 0) // worker 0 lives
#define may_renew(w) (w == 0)          // to have fewer states
#else
#define may_die(w) may_fail
#define may_renew(w) true
#endif

// Redis carries a call out and the worker hears the answer; or the connection, or the worker, is lost before or between. What
// the worker does not do meanwhile, nobody can tell, so the usual way is one step.
inline transmit(w, what, which)
{
    call(w, what, which);
    if
    :: d_step { carry_out(w, w) }
    :: may_fail
    fi;
    if
    :: answered[w] -> d_step { hear(w); no_call(w) }
    :: may_fail -> d_step { lose_connection(w); connected[w] = false }
    :: may_die(w) -> d_step { die(w) }
    fi
}

#define is_free(w) (connected[w] && found[w] == 0)

proctype worker(bit self)
{
    do
    :: at[self] == gone -> break
    :: atomic { is_free(self) && at[self] == idle && !unsure[self] && has_room -> transmit(self, fetch, 0) }
    :: atomic { is_free(self) && at[self] == running && may_renew(self) && has_room -> transmit(self, renew, token[self]) }
    :: atomic { is_free(self) && at[self] == running && !doubt[self] ->
        if
        :: end_run(self, success)
#ifdef RETRIES
        :: end_run(self, retry)
        :: end_run(self, back)
#endif
#ifdef DELAYS
        :: end_run(self, later)
#endif
        fi }
    :: atomic { is_free(self) && at[self] == over_with -> transmit(self, ack, token[self]) }
    :: atomic { is_free(self) && at[self] == over_with && !unsure[self] && has_room -> transmit(self, ack_fetch, token[self]) }
    :: atomic { is_free(self) && unsure[self] && !doubt[self] -> transmit(self, find, 0) }
    :: atomic { connected[self] && found[self] -> transmit(self, release, found[self]) }
    // What goes wrong
    :: d_step { connected[self] && may_fail -> lose_connection(self); connected[self] = false }
    :: d_step { connected[self] && may_die(self) -> die(self) }
    // A new connection has Redis close the old one first.
    :: atomic { !connected[self] && at[self] != gone ->
#ifndef BROKEN_late_bytes
        kind[self + 2] = none; called_for[self + 2] = 0; in_doubt[self + 2] = false; again[self + 2] = false;
#endif
        connected[self] = true }
    od
}

// What the network delivers late; nothing has to.
proctype network(bit self)
{
    do
    :: d_step { kind[self + 2] != none && made < TOKENS -> carry_out(self + 2, self) }
    :: atomic { at[self] == gone && connected[self] -> connected[self] = false }
    od
}

// Each of them goes on, whatever the others do.
proctype time()
{
    do
    :: half < made -> half++
    :: over < half -> over++
    :: atomic { due < scheduled -> due++; say(printf("due\n")); tell_state() }
    od
}

proctype terms()
{
    do
    :: atomic { leader -> leader = 0; say(printf("term\n")); tell_state() }
    od
}

#define bit_of(number) (1 << number)
#define is_there(number) (registry[number] == named && connected[owner(number)])

#define for_each_number(action) n = 1; do :: n < 7 -> action; n++ :: else -> break od; n = 0

inline strike()
{
    if
    :: (dead & bit_of(n)) && registry[n] == named ->
        assert(!(leader && leader != me && seen_by[n] == leader)); // the present leader knows better
        registry[n] = struck;
        found_dead[n] = looked
    :: else
    fi
}

inline strike_off()
{
    say(printf("strike %d %d\n", me, dead));
#ifndef BROKEN_strike_without_lead
    if
    :: leader && leader != me -> dead = 0
    :: else -> skip
    fi;
#endif
    for_each_number(strike());
    tell_state()
}

#ifdef BROKEN_ignore_signs_of_life
#define was_before(t) true
#elif defined(BROKEN_look_anew)
#define was_before(t) (t <= looked)
#else
#define was_before(t) (t <= last_sign[by[t]])
#endif
#ifdef BROKEN_registered_is_dead
#define is_of_dead(t) (by[t] && registry[by[t]] != nobody && was_before(t))
#else
#define is_of_dead(t) (by[t] && (dead & bit_of(by[t])) && was_before(t))
#endif

// recover_leases.lua, in two steps, which allow all that one does.
inline sweep(place)
{
    atomic { place && (place <= over || is_of_dead(place)) -> lease = place }
    d_step { 
        if
#ifdef BROKEN_recover_any_token
        :: place ->
#else
        :: place == lease ->
#endif
            // Nobody takes a job from a worker that has not lost its connection since its lease began.
            assert(place <= over || place <= cut[owner(by[place])]);
            say(printf("sweep %d %d %d\n", me, over, dead));
            attempts++;
            return_job(place);
            tell_state()
        :: else
        fi;
        lease = 0;
        check_jobs() }
}

inline look_at_worker()
{
    if
    :: registry[n] != nobody && is_there(n) ->
#if MONITORS > 1
        seen_by[n] = me;
#endif
        say(printf("there %d\n", n));
        missing[n] = false // note_absence.lua
    :: registry[n] != nobody && !is_there(n) ->
        dead = (missing[n] -> dead | bit_of(n) : dead);
        // Who was struck off may have been back by now.
        last_sign[n] = (registry[n] == struck -> found_dead[n] : looked);
        missing[n] = true;
        say(printf("absent %d\n", n))
    :: else
    fi
}

inline forget_worker()
{
    if
    :: dead & bit_of(n) -> registry[n] = nobody; missing[n] = false; found_dead[n] = 0
    :: else
    fi
}

// It looks at every lease, if every job has to end, and in a walk.
#if (defined(LIVE) || defined(TRACE)) && !defined(BROKEN_return_nothing)
#define leaves_alone(place) !(place && (place <= over || is_of_dead(place)))
#else
#define leaves_alone(place) true
#endif

// The lease of a worker that was found dead, and was back since.
inline pass_by()
{
    printf("pass %d %d %d\n", me, over, dead);
    if
    :: progress && (dead & bit_of(by[progress])) -> reach(7)
    :: else
    fi;
    tell_state();
    assert(has_to_go_on)
}

proctype monitor(byte me)
{
    byte dead, looked, lease, n, last_sign[7];
    do
    :: d_step { (leader == 0 || leader == me) -> // redis/lead.lua
            leader = me;
            looked = made;
            say(printf("look %d\n", me));
            for_each_number(look_at_worker());
            tell_state() }
#ifndef BROKEN_strike_after_return
        if
        :: d_step { dead -> strike_off() }
        :: dead == 0
        fi;
#endif
        if
        :: sweep(progress)
        :: atomic { leaves_alone(progress) -> say(pass_by()) }
        fi;
#ifdef PEER
        if
        :: sweep(shared)
        :: leaves_alone(shared)
        fi;
#endif
        d_step {
#ifdef BROKEN_strike_after_return
            strike_off();
#endif
            say(printf("forget %d %d\n", me, dead));
            for_each_number(forget_worker());
            dead = 0; looked = 0;
            for_each_number(last_sign[n] = 0);
            // tidy.lua
            if
            :: duplicates && !progress && !waiting -> release_duplicate()
            :: else
            fi;
            tell_state();
            check_jobs() }
    od
}

#ifdef PEER
// hworker: takes by writing its own start time over what is there, and compares nothing.
proctype peer()
{
    bool holds, tried;
    do
    :: d_step { !holds && waiting && made < TOKENS - 1 ->
        excused = excused + (progress && by[progress] == 0); // of two hworkers, hworker itself loses one
        make_token(0); waiting--; progress = made; holds = true; check_jobs() }
    :: d_step { holds -> ended++; progress = 0; holds = false; check_jobs() }
#ifdef PEER_RETRIES
    :: d_step { holds && !tried -> tried = true; waiting++; progress = 0; holds = false; check_jobs() }
#endif
    :: atomic { holds && may_fail -> faults++; holds = false }
    // Its monitor: by age alone.
    :: d_step { progress && progress <= half -> return_job(progress); check_jobs() }
    od
}
#endif

init
{
    atomic {
        connected[0] = true; run worker(0); run network(0);
#ifndef ONE_WORKER
        connected[1] = true; run worker(1); run network(1);
#endif
        run time();
        run terms();
        run monitor(1);
#if MONITORS > 1
        run monitor(2);
#endif
#ifdef PEER
        run peer();
#endif
    }
}
