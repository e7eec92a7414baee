#pragma once

/// Everything.
#include "coworker/codec.hpp"
#include "coworker/error.hpp"
#include "coworker/event.hpp"
#include "coworker/job.hpp"
#include "coworker/job_context.hpp"
#include "coworker/list_queue.hpp"
#include "coworker/metrics.hpp"
#include "coworker/outcome.hpp"
#include "coworker/run_blocking.hpp"
#include "coworker/session.hpp"
#include "coworker/worker.hpp"
