// SPDX-License-Identifier: MIT
#include "coworker/error.hpp"

namespace coworker {
namespace {

const char* describe(errc code) noexcept
{
    switch (code) {
    case errc::stopped:
        return "the client was stopped";
    case errc::unavailable:
        return "Redis cannot be reached; check that it runs and that the URL is right";
    case errc::in_doubt:
        return "no answer came, or only a part of it; the request may or may not have been carried out, so "
               "repeat it only if doing it twice is harmless";
    case errc::timed_out:
        return "Redis did not answer in time; the request may or may not have been carried out";
    case errc::authentication_refused:
        return "Redis refused the user name or password";
    case errc::server_too_old:
        return "the server is too old; coworker needs Redis 7.0 or Valkey";
    case errc::evicting_server:
        return "the server may throw jobs away when memory is full; set maxmemory-policy to noeviction";
    case errc::read_only_server:
        return "the server accepts no writes; connect to the primary, or through Sentinel";
    case errc::setup_refused:
        return "Redis refused to set the connection up; check the user's permissions";
    case errc::command_refused:
        return "Redis refused a command";
    case errc::wrong_key_type:
        return "a key of this queue holds another type of value; choose another queue name or remove the key";
    case errc::invalid_option:
        return "an option cannot be used";
    case errc::invalid_queue_name:
        return "a queue name has 1 to 512 bytes";
    case errc::invalid_job_id:
        return "a job id is UTF-8 text of 1 to 256 bytes";
    case errc::job_too_large:
        return "the job is larger than max_job_size";
    case errc::not_serializable:
        return "the job has no JSON form; check for text that is not UTF-8 and numbers that are not finite";
    case errc::not_decodable:
        return "the payload does not decode as a job of this type";
    case errc::job_not_found:
        return "there is no such job here; it may have moved on";
    case errc::lease_lost:
        return "this worker no longer has the lease of the job";
    case errc::already_running:
        return "a worker runs once; make a new one to run again";
    case errc::invalid_worker:
        return "a worker needs at least one queue, each queue once, and the executor of its queues' client";
    case errc::job_not_running:
        return "the job is not running: no worker has fetched it, or its lease has ended";
    case errc::still_depended_on:
        return "another job depends on this one; cancel both in one call, or remove the dependency first";
    case errc::not_waiting_for_dependencies:
        return "the job is not in the depends state; push it with dependencies for them to be changed";
    case errc::recurring_job_not_found:
        return "there is no such recurring job";
    case errc::queue_not_found:
        return "there is no such queue, or it is empty and nobody has ever worked on it";
    case errc::queue_not_empty:
        return "the queue still has jobs; say that they are to be deleted as well, or let workers finish "
               "them";
    case errc::queue_in_use:
        return "jobs of the queue run, or workers are there; stop the workers first, or say that it is to be "
               "deleted while it is used";
    case errc::schedule_not_found:
        return "there is no such schedule";
    case errc::not_unique:
        return "another job of the queue has this unique key; push it again when that one is done, or choose "
               "another unique_rule::conflict";
    case errc::job_failed:
        return "the job has failed";
    case errc::job_gone:
        return "the job is gone without a result; it was cancelled, or its record was not kept";
    case errc::no_result:
        return "the job is complete and has no result; let its handler return one, or wait for it as void, "
               "or "
               "keep results for longer (handle_options::result_retention)";
    case errc::not_supported:
        return "this kind of queue cannot do this; use a managed_queue";
    case errc::batch_not_found:
        return "there is no such batch; open it first, or keep it for longer (batch_options::retention)";
    case errc::batch_ended:
        return "the batch has ended or was cancelled; add jobs before it is sealed, or from its own jobs";
    case errc::unconfirmed:
        return "the job is queued, but not confirmed to be as safe as was asked for; pushing it again with "
               "the "
               "same id and unique_for asks again";
    case errc::job_ended:
        return "the job has ended; send signals while it waits or runs";
    case errc::too_many_signals:
        return "the job has as many signals as it may have; let it read them, or send fewer and smaller ones";
    case errc::newer_layout:
        return "the jobs there are kept in a layout that this release does not know; update this program";
    case errc::queue_full:
        return "as many jobs wait in the queue as may; push this one again when workers have fetched some, "
               "or let pushes wait for room (waits_for_room)";
    case errc::unexpected_exception:
        return "an unexpected exception was thrown";
    case errc::wrong_thread:
        return "the client is used on more than one thread; set client_options::thread_safe, or give it a "
               "strand";
    case errc::unexpected_answer:
        return "Redis' answer has another form than expected, so the request may or may not have been "
               "carried "
               "out; check what stands between this program and Redis";
    }
    return "unknown error";
}

class coworker_category final : public boost::system::error_category
{
public:
    const char* name() const noexcept override { return "coworker"; }
    std::string message(int code) const override { return describe(static_cast<errc>(code)); }
};

} // namespace

const boost::system::error_category& category() noexcept
{
    static const coworker_category instance;
    return instance;
}

} // namespace coworker
