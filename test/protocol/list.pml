// SPDX-License-Identifier: MIT
// The protocol of a list queue: README.md beside this says which script each step is, and what is left out.
//
// All jobs have one payload, and there are COPIES of them: what differs in its payload never meets in Redis. A token is a
// start time: tokens are numbered in the order in which Redis makes them. Of their ages only two bounds matter: those up
// to `half` are older than half a lease, those up to `over` than a lease. Where somebody stands still, others go on.
//
// Sizes and scenes are macros: see scenes.txt. BROKEN_name breaks one rule on purpose.

#ifndef COPIES
#define COPIES 1
#endif
#ifndef TOKENS
#define TOKENS 3
#endif
#ifndef FAULTS
#define FAULTS 2
#endif
#ifndef MONITORS
#define MONITORS 2
#endif

#define nobody 0 // states of a worker number in the registry
#define named 1
#define struck 2

mtype:call = { none, fetch, ack, ack_fetch, renew, find, release };
mtype:outcome = { success, retry, later, failure, back };
mtype:at = { idle, running, over_with, gone };

// --- Redis ------------------------------------------------------------------------------------------------

byte waiting = COPIES, scheduled, due, duplicates, ended, attempts;
byte progress, shared; // the token that stands there, or 0
byte made, half, over; // tokens
byte by[TOKENS + 1];   // the worker number of each token; 0: a peer's
byte registry[7];      // numbers 1, 3 and 5 are those of worker 0, and 2, 4 and 6 of worker 1
bool missing[7];       // the key `gone`
byte found_dead[7];    // the same, of those that are struck off: the newest token when they were found dead
byte leader;
#define owner(number) ((number + 1) & 1)

// --- workers, and what is on its way; calls 2 and 3 are what the lost connections of workers 0 and 1 still carry -------------

mtype:at at[2] = idle;
byte token[2], attempt[2], number[2];
bool doubt[2], repeated[2], unsure[2], connected[2]; // unsure: it may have jobs that it does not know of
mtype:outcome result[2];
mtype:call kind[4] = none;
byte called_for[4];
bool in_doubt[4], again[4], answered[2], refused[2];
byte answer[2], tries[2], found[2]; // tries: attempts of the job taken
byte faults;

// --- what only the assertions know ---------------------------------------------------------------------

byte granted[2]; // the newest token of the run that Redis has given to the worker and not ended
byte cut[2];     // tokens up to this were made before the worker last lost its connection, or died
byte seen_by[7]; // the monitor that has seen the worker's connection since then
byte excused;    // copies whose loss the documentation admits

#define is_displaced(w) (granted[w] && progress != granted[w] && shared != granted[w])
#define in_redis (waiting + scheduled + duplicates + (progress != 0) + (shared != 0) + ended)

inline check_jobs()
{
#ifdef PEER
    assert(in_redis + is_displaced(0) + is_displaced(1) + excused >= COPIES);
#else
    assert(in_redis == COPIES);
#endif
}

// Says what is done, for test/scripts/list/model_walks.cpp, which does the same with the scripts.
#ifdef TRACE
#define say(what) what
#else
#define say(what) skip
#endif

// What chance seldom meets: a walk to it is searched for, by test/scripts/list/model_walks.cpp. A call whose run is over for
// Redis, while another run is under way (1, 2, 4) or none (5, 6, 8), and so on.
#ifdef GOAL
bool is_reached;
#define reach(goal) is_reached = is_reached || goal == GOAL
#define has_to_go_on !is_reached
#else
#define reach(goal) skip
#define has_to_go_on true
#endif

inline tell_state()
{
    say(printf("jobs %d %d %d %d %d %d\n", waiting, scheduled, due, duplicates, ended, attempts));
    say(printf("held %d %d\n", progress, leader));
    say(printf("registry %d %d %d %d %d %d\n", registry[1], registry[2], registry[3], registry[4], registry[5], registry[6]));
    say(printf("gone %d %d %d %d %d %d\n", missing[1], missing[2], missing[3], missing[4], missing[5], missing[6]));
    say(printf("dead_since %d %d %d %d %d %d\n", found_dead[1], found_dead[2], found_dead[3], found_dead[4], found_dead[5],
               found_dead[6]))
}

// --- parts of scripts -----------------------------------------------------------------------------------

inline make_token(owner)
{
    made++;
    by[made] = owner
}

inline release_duplicate()
{
#ifndef BROKEN_keep_duplicates
    if
    :: duplicates -> duplicates--; waiting++
    :: else
    fi
#else
    skip
#endif
}

// parts/shared_lease.lua. A repeated acknowledgement has no lease.
#ifdef BROKEN_believe_unregistered
#define is_registered(t) true
#else
#define is_registered(t) (registry[by[t]] == named)
#endif
#define is_next (!progress && waiting)
#define is_young(t) (t > half)
#ifdef BROKEN_believe_repeated
#define has_lease(i) true
#else
#define has_lease(i) (!again[i])
#endif
#ifdef BROKEN_believe_removal
#define is_undisturbed(i, t) false
#else
#define is_undisturbed(i, t) (!(progress && by[progress]) && has_lease(i) && is_young(t) && is_registered(t) && !is_next)
#endif

// A run that Redis no longer gives to its worker. Of a peer's doing, a copy may have gone with it.
inline lose(i, w)
{
    if
    :: granted[w] && granted[w] == called_for[i] && is_displaced(w) ->
#ifndef BESIDE_ANY
        // an outcome that is sent again beside a peer is dropped, whether or not the first one has arrived
        assert(granted[w] <= half || registry[by[granted[w]]] != named || is_next || again[i]);
#endif
        excused++;
        granted[w] = 0
    :: else
    fi
}

inline finish(i, w)
{
#ifndef PEER
    assert(granted[w]);
    assert(granted[w] == called_for[i]) // no stale acknowledgement
#endif
    granted[w] = 0;
    if
    :: result[w] == success || result[w] == failure -> ended++; attempts = 0
    :: result[w] == retry -> waiting++; attempts = attempt[w]
    :: result[w] == later -> scheduled++; attempts = attempt[w]
    :: result[w] == back -> waiting++
    fi
}

// parts/acknowledge.lua, parts/finish.lua
inline acknowledge(i, w)
{
#ifdef BROKEN_ack_any_token
    if
    :: progress -> finish(i, w); progress = 0; release_duplicate()
#else
    if
    :: progress && progress == called_for[i] -> finish(i, w); progress = 0; release_duplicate()
#endif
    :: else ->
        if
        :: (shared == called_for[i] || is_undisturbed(i, called_for[i])) &&
           (result[w] == success || attempts < attempt[w]) ->
            finish(i, w); shared = 0
        :: else -> reach((progress -> 1 : 5)); refused[w] = (i < 2); lose(i, w)
        fi
    fi
}

// parts/enlist.lua
inline enlist(w)
{
    if
    :: registry[w + 1] == named -> number[w] = w + 1
    :: registry[w + 3] == named -> number[w] = w + 3
    :: registry[w + 5] == named -> number[w] = w + 5
    :: else ->
        number[w] = (number[w] == 0 -> w + 1 : number[w] + 2);
        assert(number[w] < 7);
        registry[number[w]] = named
    fi
}

#define is_valid(w) (granted[w] > over && registry[by[granted[w]]] == named)

// parts/take.lua, parts/promote.lua
inline take(w)
{
#ifdef BROKEN_promote_in_two_steps
    scheduled = scheduled - due; due = 0;
#elif !defined(BROKEN_promote_nothing)
    waiting = waiting + due; scheduled = scheduled - due; due = 0;
#endif
    enlist(w);
    answer[w] = 0;
    if
    :: waiting == 0
    :: waiting && progress ->
        waiting--;
#ifdef BROKEN_no_duplicates
        make_token(number[w]); progress = made; granted[w] = made; answer[w] = made
#else
        duplicates++
#endif
    :: waiting && !progress ->
#ifndef PEER
        assert(!(is_valid(0) || is_valid(1))); // never handed to two whose leases are valid
#endif
        make_token(number[w]);
        waiting--;
        progress = made; granted[w] = made; answer[w] = made; tries[w] = attempts + 1
    fi
}

// renew.lua
#define is_held(i, w, stored) (stored && (stored == called_for[i] || \
    in_doubt[i] && stored > called_for[i] && by[stored] == number[w]))
inline renew_lease(i, w)
{
    make_token(number[w]);
    answer[w] = made;
    if
#ifdef BROKEN_renew_any_token
    :: progress ->
#else
    :: is_held(i, w, progress) ->
#endif
        if
        :: progress != called_for[i] -> reach(3)
        :: else
        fi;
        progress = made; granted[w] = made
    :: else ->
        if
        :: is_held(i, w, shared) || is_undisturbed(i, called_for[i]) ->
            if
            :: progress -> shared = made
            :: else -> progress = made; shared = 0
            fi;
            granted[w] = made
        :: else -> reach((progress -> 2 : 6)); refused[w] = (i < 2); lose(i, w)
        fi
    fi;
#ifndef PEER
    assert(!(granted[0] && granted[1] && is_valid(0) && is_valid(1)))
#endif
}

// A job goes back from `progress`, or from `shared`: parts/return_job.lua
inline return_job(place)
{
    waiting++;
    if
    :: granted[0] == place -> granted[0] = 0
    :: granted[1] == place -> granted[1] = 0
    :: else
    fi;
    place = 0;
    release_duplicate()
}

// Redis carries out call i of worker w.
inline carry_out(i, w)
{
    refused[w] = false;
    say(printf("%e %d %d %d %d %d\n", kind[i], w, i, called_for[i], token[w], half));
    say(printf("with %d %d %e %d\n", in_doubt[i], again[i], result[w], attempt[w]));
    if
    :: kind[i] == fetch -> take(w)
    :: kind[i] == ack -> acknowledge(i, w)
    :: kind[i] == ack_fetch -> acknowledge(i, w); take(w)
    :: kind[i] == renew -> renew_lease(i, w)
    :: kind[i] == find ->
        answer[w] = 0;
        if
        :: progress && by[progress] && owner(by[progress]) == w && registry[by[progress]] == named &&
           progress != token[w] -> answer[w] = progress
        :: else
        fi
    :: kind[i] == release ->
        if
#ifdef BROKEN_release_any_token
        :: progress ->
#else
        :: progress && progress == called_for[i] ->
#endif
            assert(progress != token[w] || at[w] != running);
            assert(owner(by[progress]) == w); // nobody gives back what another runs
            return_job(progress)
        :: else -> reach((progress -> 4 : 8))
        fi
    fi;
    say(printf("answer %d %d %d %d\n", answer[w], tries[w], refused[w], number[w]));
    tell_state();
    assert(has_to_go_on);
    if
    :: i < 2 -> answered[w] = true
    :: else -> kind[i] = none; cut[w] = made // which is no sign of life
    fi;
    check_jobs()
}

#include "list_parties.pml"

#ifdef LIVE
// Every job ends, if a worker and a monitor live: or the numbers of tokens are used up first.
ltl every_job_ends { <> (ended == COPIES || !has_room) }
#endif
