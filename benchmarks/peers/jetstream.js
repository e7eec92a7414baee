// SPDX-License-Identifier: MIT
// NATS JetStream: a work queue stream in a file, a pull consumer with explicit acknowledgements.
'use strict';
const {connect, JSONCodec, AckPolicy, RetentionPolicy} = require('nats');

require('./driver').run(async (url) => {
  const connection = await connect({servers: url});
  const manager = await connection.jetstreamManager();
  await manager.streams.add({name: 'bench', subjects: ['bench'], retention: RetentionPolicy.Workqueue});
  await manager.consumers.add('bench', {durable_name: 'worker', ack_policy: AckPolicy.Explicit, max_ack_pending: 10000});
  const stream = connection.jetstream(), codec = JSONCodec();
  const push = (job) => stream.publish('bench', codec.encode(job));
  return {
    push,
    push_many: (jobs) => Promise.all(jobs.map(push)),
    async work(handle) {
      const consumer = await stream.consumers.get('bench', 'worker');
      await consumer.consume({max_messages: 1000, callback: (message) => { message.ack(); handle(codec.decode(message.data)); }});
    },
    close: async () => { await connection.drain(); },
  };
});
