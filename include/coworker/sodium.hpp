// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/key_ring.hpp"
#include "coworker/payload_codec.hpp"
#include "coworker/text.hpp"

#include <memory>

/// @file
/// Encryption of jobs. Link the target `coworker::sodium`.
namespace coworker {

/// How jobs are encrypted.
struct sodium_options
{
    /// A text that jobs are bound to: a program with another one cannot read them. It is not stored, and no secret. For
    /// example the name of the application or the tenant.
    text context{};

    /// Jobs that are not encrypted are broken. Set this when no plain job is left. As long as it is false, who can
    /// write to Redis can push a plain job, and it will run.
    bool refuse_plain = false;
};

/// Encrypts jobs, and notices when they were changed: XChaCha20-Poly1305, with a random nonce for each job. An encoded
/// job is `{"coworker:sealed:1":"KEY-ID:BASE64"}`; see docs/payload-codecs.md for its bytes.
///
/// The job of a managed queue is bound to its kind, and that of a list queue to the queue's name. Under another one
/// it is broken. It is not bound to its id, nor in managed queues to the queue, so jobs may be forwarded and recur.
///
/// Encrypted are the job's data. Its id, kind, tags, metadata, unique key, results, checkpoints, steps and the reasons of
/// failures are not.
///
/// @par Cost  Some 200 MB per second and core, either way: 0.04 ms for 10 KB. What is stored is a third larger than the
///   job.
std::shared_ptr<const payload_codec> sodium_codec(key_ring keys, sodium_options options = {});

} // namespace coworker
