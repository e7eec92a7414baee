// SPDX-License-Identifier: MIT
// beanstalkd: commands are sent without waiting for the answers to those before; `reserve` for 100 jobs at a time.
'use strict';
const net = require('net');

/// Calls `answered` with the words of each answer and the body of a reserved job.
function read_answers(socket, answered) {
  let left = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    left = left.length === 0 ? bytes : Buffer.concat([left, bytes]);
    let at = 0;
    for (let end; (end = left.indexOf('\r\n', at)) >= 0;) {
      const words = left.toString('latin1', at, end).split(' ');
      let next = end + 2, body;
      if (words[0] === 'RESERVED') {
        const size = Number(words[2]);
        if (left.length < next + size + 2) break;
        body = left.toString('utf8', next, next + size);
        next += size + 2;
      }
      answered(words, body);
      at = next;
    }
    left = left.subarray(at);
  });
}

require('./driver').run(async (url) => {
  const {hostname, port} = new URL(url);
  const socket = net.connect({host: hostname, port: Number(port), noDelay: true});
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const waiting = [];
  let handle, deleting = 0;
  read_answers(socket, (words, body) => {
    if (words[0] === 'RESERVED') {
      ++deleting;
      handle(JSON.parse(body));
      socket.write(`delete ${words[1]}\r\nreserve\r\n`);
    } else if (words[0] === 'INSERTED') {
      waiting.shift()();
    } else if (words[0] === 'DELETED') {
      --deleting;
    } else {
      throw new Error('beanstalkd answered ' + words.join(' '));
    }
  });
  const push = (job) => new Promise((resolve) => {
    const text = JSON.stringify(job);
    waiting.push(resolve);
    socket.write(`put 0 0 60 ${Buffer.byteLength(text)}\r\n${text}\r\n`);
  });
  return {
    push,
    async push_many(jobs) {
      socket.cork();
      const all = jobs.map(push);
      socket.uncork();
      await Promise.all(all);
    },
    async work(how) { handle = how; socket.write('reserve\r\n'.repeat(100)); },
    async close() { // after the last jobs are deleted
      while (deleting > 0) await new Promise(setImmediate);
      socket.destroy();
    },
  };
});
