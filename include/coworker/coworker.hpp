// SPDX-License-Identifier: MIT
#pragma once

/// @mainpage
///
/// `#include "coworker/coworker.hpp"` includes everything but the test kit, `coworker/testing.hpp`, the HTTP gateway,
/// `coworker/gateway.hpp`, compression and encryption, `coworker/zstd.hpp` and `coworker/sodium.hpp`, and outboxes,
/// `coworker/postgresql.hpp` and `coworker/mysql.hpp`. Begin with:
///
///  - coworker::client: the connection to Redis. Queues, workers and the rest are made from it.
///  - coworker::list_queue: a queue of jobs of one type, in hworker's layout.
///  - coworker::managed_queue: a queue of jobs of many kinds, in qless' layout. coworker::managed_client and
///    coworker::managed_events belong to it.
///  - coworker::worker: runs jobs. coworker::handle_options has its settings for each queue, coworker::outcome is what
///    handlers return, and coworker::job_context is what they may ask.
///  - coworker::inspector: looks at queues, workers and jobs, and acts on them.
///  - coworker::monitor: returns the jobs of dead workers where no worker of coworker's runs.
///  - coworker::job_taker: takes jobs that run elsewhere, in any language.
///  - coworker::outbox_relay: pushes jobs that transactions of a database have written.
///  - coworker::job_source: the interface between a worker and a queue, for queues of your own.
///  - coworker::event_counters, coworker::log_to: observers of coworker::event.
///  - coworker::errc: what can go wrong.
///
/// completion.hpp says what holds for all asynchronous operations: signatures, errors, cancellation and executors. The
/// guides are in the folder `docs`, which is installed as well.

/// @namespace coworker
/// All of the library: classes, the functions that make outcomes, and observers.

#include "coworker/backoff.hpp"
#include "coworker/batch_values.hpp"
#include "coworker/batches.hpp"
#include "coworker/client.hpp"
#include "coworker/codec.hpp"
#include "coworker/durability.hpp"
#include "coworker/error.hpp"
#include "coworker/event.hpp"
#include "coworker/flow.hpp"
#include "coworker/inspector.hpp"
#include "coworker/job.hpp"
#include "coworker/job_context.hpp"
#include "coworker/job_effects.hpp"
#include "coworker/job_signals.hpp"
#include "coworker/job_taker.hpp"
#include "coworker/job_waits.hpp"
#include "coworker/list_queue.hpp"
#include "coworker/list_schedules.hpp"
#include "coworker/managed_client.hpp"
#include "coworker/managed_details.hpp"
#include "coworker/managed_events.hpp"
#include "coworker/managed_job.hpp"
#include "coworker/managed_options.hpp"
#include "coworker/managed_queue.hpp"
#include "coworker/managed_results.hpp"
#include "coworker/managed_statistics.hpp"
#include "coworker/many_handler.hpp"
#include "coworker/metrics.hpp"
#include "coworker/middleware.hpp"
#include "coworker/monitor.hpp"
#include "coworker/notices.hpp"
#include "coworker/outbox_relay.hpp"
#include "coworker/outbox_store.hpp"
#include "coworker/outbox_table.hpp"
#include "coworker/outcome.hpp"
#include "coworker/parent_failure.hpp"
#include "coworker/payload_codec.hpp"
#include "coworker/payload_error.hpp"
#include "coworker/pushed_options.hpp"
#include "coworker/run_blocking.hpp"
#include "coworker/run_times.hpp"
#include "coworker/schedules.hpp"
#include "coworker/suspended.hpp"
#include "coworker/timestamp.hpp"
#include "coworker/trace_context.hpp"
#include "coworker/version.hpp"
#include "coworker/worker.hpp"
