// The door to the program: the core in this page as WebAssembly, else the server that sent the page.
// Both take {command, options} and give {exit_code, media_type, body}. In the page two threads hold a
// core: `askNow` answers at once, for sliders; `ask` answers in the other, so that nothing stands still.

import {joined} from './wasm_streams.js';

/// A text that the page was written with; empty where it was not.
export function textInside(id) {
  return document.getElementById(id) ? new TextDecoder().decode(unpacked(id)) : '';
}

/// What the core asks of its host: a clock, and nothing else of this machine.
function host(memory) {
  const view = () => new DataView(memory().buffer);
  const none = () => 0;
  return new Proxy({
    clock_time_get: (id, precision, at) => {
      view().setBigUint64(at, BigInt(Date.now()) * 1000000n, true);
      return 0;
    },
    environ_sizes_get: (count, size) => {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: none,
    fd_prestat_get: () => 8,
    proc_exit: code => { throw new Error('the core ended with ' + code); },
  }, {get: (known, name) => known[name] ?? (() => 52)});
}

/// A world of answers in this thread, from compiled code and the bundle of its data.
async function worldOf(module, data) {
  let core = null;
  const imports = {wasi_snapshot_preview1: host(() => core.memory), math: Math};
  core = (await WebAssembly.instantiate(module, imports)).exports;
  core._initialize();
  // Views of the memory go stale when it grows, so each is made after the call before it.
  const put = bytes => {
    const at = core.malloc(bytes.length + 1);
    const memory = new Uint8Array(core.memory.buffer);
    memory.set(bytes, at);
    memory[at + bytes.length] = 0;
    return at;
  };
  const take = at => {
    const memory = new Uint8Array(core.memory.buffer);
    return new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at)));
  };
  const bundle = put(data);
  const world = core.ridgeline_open(0, bundle, data.length);
  core.ridgeline_free(bundle);
  return request => {
    const text = put(new TextEncoder().encode(JSON.stringify(request)));
    const answer = core.ridgeline_ask(world, text);
    core.ridgeline_free(text);
    if (answer === 0) throw new Error('the memory of this page is used up');
    const told = JSON.parse(take(answer));
    core.ridgeline_free(answer);
    return told;
  };
}

/// What runs in the second thread: this same script, which the page starts again there.
export function answerInWorker() {
  let asked = null;
  self.onmessage = async ({data: {id, request, module, data}}) => {
    try {
      if (module) asked = await worldOf(module, data);
      self.postMessage({id, told: request ? asked(request) : null});
    } catch (problem) {
      self.postMessage({id, problem: String(problem.message ?? problem)});
    }
  };
}

/// A second thread with a world of its own, for long searches; it is started when first asked.
function secondThread(module, data) {
  let worker = null;
  let number = 0;
  const waiting = new Map();
  const start = () => {
    const script = document.getElementById('rest').textContent;
    worker = new Worker(URL.createObjectURL(new Blob([script], {type: 'text/javascript'})));
    worker.onmessage = ({data: {id, told, problem}}) => {
      const {resolve, reject} = waiting.get(id) ?? {};
      waiting.delete(id);
      if (resolve) problem ? reject(new Error(problem)) : resolve(told);
    };
    worker.onerror = () => {
      for (const {reject} of waiting.values()) reject(new Error('the second thread of this page ended'));
      waiting.clear();
      worker = null;
    };
    worker.postMessage({id: 0, module, data});
  };
  const ask = request => new Promise((resolve, reject) => {
    if (!worker) start();
    waiting.set(++number, {resolve, reject});
    worker.postMessage({id: number, request});
  });
  const stop = () => {
    if (waiting.size === 0) return;
    worker.terminate();
    worker = null;
    for (const {reject} of waiting.values()) reject(new Error('stopped'));
    waiting.clear();
  };
  return {ask, stop, warm: () => { if (!worker) start(); }};
}

async function openWasm() {
  const compiled = WebAssembly.compile(joined(unpacked('core')));
  const data = unpacked('bundle');  // while the core is compiled beside this thread
  const module = await compiled;
  const askNow = await worldOf(module, data);
  return {kind: 'page', askNow, ...secondThread(module, data)};
}

function openServer() {
  const ask = async request => {
    const reply = await fetch('/api/v1/ask', {
      method: 'POST', body: JSON.stringify(request), headers: {'Content-Type': 'application/json'}});
    const told = await reply.json();
    if (reply.ok) return told;
    return {exit_code: 2, media_type: 'application/json', body: told};
  };
  return {kind: 'server', askNow: null, ask, stop: () => {}, warm: () => {}};
}

export async function openCore() {
  if (document.getElementById('core')) return openWasm();
  if (location.protocol === 'file:') throw new Error('this file was written without its core, and a file has no server to ask');
  return openServer();
}
