// A worker of bullmq in a process of its own, where msgpackr is msgpackr. Ends when its input ends.

'use strict';

const Module = require('node:module');

const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...others) {
  return resolve.call(this, name === 'msgpackr' ? 'original' : name, ...others);
};

const { Worker } = require('bullmq');
const original = require('original');

const assert = require('node:assert/strict');
assert.equal(require('msgpackr').Packr, original.Packr);

const connection = JSON.parse(process.argv[2]);
const work = async ({ data }) => {
  await new Promise((done) => setTimeout(done, 5));
  return { by: 'msgpackr', value: data.value };
};
const worker = new Worker('mixed', work, { connection, concurrency: 2 });
worker.waitUntilReady().then(() => console.log('ready'));
process.stdin.on('end', () => worker.close());
process.stdin.resume();
