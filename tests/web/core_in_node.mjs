// Asks the core of a page under node. Usage: node core_in_node.mjs STREAMS CORE.wasm BUNDLE EPOCH < requests
// STREAMS: the core as the page holds it, which becomes CORE.wasm; with nothing behind them, no more than that is done.
// Each line of stdin is a request; each answer is one line of base64.
import {readFileSync} from 'node:fs';

const [streamsPath, corePath, bundlePath, epoch] = process.argv.slice(2);
const script = readFileSync(new URL('../../page/wasm_streams.js', import.meta.url));
const {joined} = await import('data:text/javascript;base64,' + script.toString('base64'));
const start = performance.now();
const code = joined(readFileSync(streamsPath));
console.error(`joined in ${(performance.now() - start).toFixed(0)} ms`);
const original = readFileSync(corePath);
// What was not linked tightly has numbers that are longer than they need to be.
if (code.length >= original.length && original.compare(code) !== 0) throw new Error('the streams of the core become another one');
if (!bundlePath) process.exit(0);
const environment = new TextEncoder().encode(`SOURCE_DATE_EPOCH=${epoch}\0`);
let core = null;
const view = () => new DataView(core.memory.buffer);
const known = {
  environ_sizes_get: (count, size) => {
    view().setUint32(count, 1, true);
    view().setUint32(size, environment.length, true);
    return 0;
  },
  environ_get: (places, text) => {
    view().setUint32(places, text, true);
    new Uint8Array(core.memory.buffer).set(environment, text);
    return 0;
  },
  clock_time_get: (id, precision, at) => {
    view().setBigUint64(at, BigInt(Date.now()) * 1000000n, true);
    return 0;
  },
  fd_prestat_get: () => 8,
  proc_exit: code => { throw new Error('the core ended with ' + code); },
};
const host = new Proxy(known, {get: (all, name) => all[name] ?? (() => 52)});
const begun = performance.now();
const module = await WebAssembly.compile(code);
core = (await WebAssembly.instantiate(module, {wasi_snapshot_preview1: host, math: Math})).exports;
core._initialize();
const put = bytes => {
  const at = core.malloc(bytes.length + 1);
  new Uint8Array(core.memory.buffer).set(bytes, at);
  new Uint8Array(core.memory.buffer)[at + bytes.length] = 0;
  return at;
};
const bundle = readFileSync(bundlePath);
const world = core.ridgeline_open(0, put(bundle), bundle.length);
console.error(`ready in ${(performance.now() - begun).toFixed(0)} ms`);
for (const line of readFileSync(0).toString().split('\n').filter(Boolean)) {
  const before = performance.now();
  const at = core.ridgeline_ask(world, put(new TextEncoder().encode(line)));
  const memory = new Uint8Array(core.memory.buffer);
  const answer = memory.slice(at, memory.indexOf(0, at));
  console.error(`${(performance.now() - before).toFixed(1)} ms, ${(memory.length / 1048576).toFixed(0)} MiB: ${line.slice(0, 100)}`);
  console.log(Buffer.from(answer).toString('base64'));
}
