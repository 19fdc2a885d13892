// One question, one answer: reads the controls or the words, asks the core, shows what it says.
import {answerInWorker, openCore, textInside} from './core.js';
import {fragmentOf, optionsOfFlags, stateOf} from './state.js';
import {forgetPixels, offerFileWords, optionsOfControls, placeSlider, setNumber, showChosen, showOptions, showUse} from './controls.js';
import {readDropped} from './dropped.js';
import {drawBar} from './bar.js';
import {duration, gib, make, number, rateOf, usd} from './format.js';
import {showSections} from './sections.js';

const at = id => document.getElementById(id);
const longest = 40;  // milliseconds that the page may stand still
const first = {model: 'llama-3.1-8b', method: 'qlora', on: 'rtx-4090', sequence: '2048'};
const uses = {full: 'training all weights', lora: 'LoRA fine-tuning', qlora: 'QLoRA fine-tuning'};

let core = null;
let version = '';
let embed = false;
let files = [];       // dropped: {name, text}
let given = [];       // that the page came with
let pins = [];
let names = new Map();  // accelerators by id
let turn = 0;
let waiting = false;  // for the next frame, or for an answer
let again = false;
let took = 0;         // milliseconds of the last estimate
let spoken = 0;
let current = null;

function fail(message) {
  at('problem').textContent = message;
  at('problem').hidden = !message;
}

function say(mark, kind, sentence) {
  document.querySelector('.answer').className = 'answer ' + kind;
  at('mark').textContent = mark;
  at('sentence').textContent = sentence;
  clearTimeout(spoken);
  spoken = setTimeout(() => { at('spoken').textContent = `${mark}. ${sentence}`; }, 300);
}

const marks = {yes: ['Yes', 'yes'], barely: ['Barely', 'barely'], no: ['No', 'no']};

function sentenceOf(answer) {
  const {memory, time, cost, workload, hardware} = answer;
  const card = names.get(hardware.accelerator)?.name ?? hardware.accelerator;
  const use = workload.task === 'inference' ? 'served' : uses[workload.method] ?? workload.task;
  const each = hardware.count > 1 ? ' each' : '';
  const described = (answer.imports ?? []).findIndex(each => ['hf-config', 'gguf', 'safetensors'].includes(each.kind));
  const named = files[described]?.name ?? (workload.model || 'the model');
  const text = [`${named}, ${use}, on ${hardware.count} x ${card} needs ${gib(memory.peak_gib)}${each}` +
    ` (${gib(memory.low_gib)} to ${gib(memory.high_gib)}) of ${gib(memory.capacity_gib)}`];
  const rate = rateOf(answer);
  if (memory.fits && time) text.push(`${number(rate.each)} ${rate.of} a second`);
  if (memory.fits && cost?.usd_per_hour) text.push(`${usd(cost.usd_per_hour)} an hour`);
  return text.join('; ') + '.';
}

function figure(title, value, more) {
  return make('div', {}, make('dt', {}, title), make('dd', {}, value), more ? make('dd', {}, more) : null);
}

function showFigures(answer) {
  const {memory, time, cost, workload} = answer;
  const rate = rateOf(answer);
  const list = [figure('Memory', gib(memory.peak_gib), memory.headroom_gib >= 0 ? `${gib(memory.headroom_gib)} to spare` : `${gib(-memory.headroom_gib)} short`)];
  if (time && time.step_s) {
    const range = (low, high) => low && high ? `${duration(low)} to ${duration(high)}` : '';
    if (time.tpot_s) {
      list.push(figure('First token', duration(time.ttft_s), range(time.ttft_low_s, time.ttft_high_s)));
      list.push(figure('Each further token', duration(time.tpot_s), range(time.tpot_low_s, time.tpot_high_s)));
    } else {
      list.push(figure('A step', duration(time.step_s), range(time.low_s, time.high_s)));
    }
    const within = seconds => number(rate.each * time.step_s / seconds);
    const title = `${rate.of} a second`;
    list.push(figure(rate.of === 'tokens' && workload.task === 'inference' ? 'Output ' + title : title[0].toUpperCase() + title.slice(1),
      number(rate.each), time.low_s && time.high_s ? `${within(time.high_s)} to ${within(time.low_s)}` : ''));
  }
  const offer = cost?.offer;
  list.push(figure('Rent', cost?.usd_per_hour ? usd(cost.usd_per_hour) + ' an hour' : 'no price known',
    offer ? `${offer.provider}, ${offer.date}` : ''));
  if (rate.usdPerMillion) list.push(figure(`A million ${rate.of}`, usd(rate.usdPerMillion), 'at that rent, fully used'));
  at('figures').replaceChildren(...list);
}

function showAnswer(answer, options, advice, question, more = {}) {
  current = {answer, options, advice, question, pins, files, pin, unpin, apply,
    ask: (command, own) => core.ask(requestOf(command, own)),
    askAll: (command, list) => core.ask(list.map(own => requestOf(command, own))),
    link: () => location.href.replace(/#.*/, '') + fragmentOf({q: advice ? question : '', options: advice ? more : options, embed}, version)};
  if (answer?.memory?.components) {
    drawBar(at('bar'), answer.memory);
    showFigures(answer);
    showChosen(answer.workload);
    at('stands').textContent = 'GiB are 1024³ bytes; memory is what the driver shows of the process at the worst instant' +
      (rateOf(answer).of !== 'tokens' ? '; the rate is that of all cards together.'
        : answer.workload.task === 'inference' ? '; tokens a second are output tokens of all users together.' : '; tokens a second are those trained on, of all cards together.');
  } else {
    at('bar').replaceChildren();
    at('figures').replaceChildren();
    at('stands').textContent = '';
  }
  showSections(at('sections'), current);
}

function showError(error, options) {
  const place = error.path?.replace(/^from\b/, files.map(each => each.name).join(', ') || 'from');
  say('?', 'wrong', place ? `${place}: ${error.message}.` : error.message + '.');
  fail(error.hint ?? '');
  showAnswer(null, options, null, '');
}

/// The controls and the dropped files; emit answers in the words of other tools.
function requestOf(command, options) {
  const all = command === 'emit' ? {...options} : {...options, json: true};
  if (files.length) all.from = files.map(each => each.text);
  return {command, options: all};
}

function showEstimate(told, options) {
  const {body} = told;
  if (body.error) { showError(body.error, options); return; }
  fail('');
  version = body.version;
  say(...(marks[body.memory.verdict] ?? marks.no), sentenceOf(body));
  showAnswer(body, options, null, '');
}

function keep(options, question, push) {
  const fragment = fragmentOf({q: question, options, embed}, version);
  if (fragment !== location.hash) history[push ? 'pushState' : 'replaceState'](null, '', fragment);
}

/// Estimates what the controls say; the last of several wins.
async function estimate(push) {
  let options;
  try { options = optionsOfControls(); } catch (problem) { fail(problem.message); return; }
  if (!options.model && !files.length) { fail('Name a model.'); return; }
  if (!options.on && !files.length) { fail('Name the hardware.'); return; }
  at('question').value = '';
  const own = ++turn;
  const asked = requestOf('estimate', options);
  const begun = performance.now();
  // What took long goes to the second thread: the page never stands still.
  const told = core.askNow && took < longest ? core.askNow(asked) : await core.ask(asked);
  took = performance.now() - begun;
  if (own !== turn) return;
  showEstimate(told, options);
  keep(options, '', push);
}

/// At most one estimate a frame while a slider moves, and never two at a time.
function soon() {
  again = waiting;
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(async () => {
    try { await estimate(false); } catch (problem) { fail(problem.message); }
    waiting = false;
    if (again) soon();
  });
}

/// The options that the advice stands for: what was read, on what was chosen.
function optionsOfAdvice(advice) {
  const read = optionsOfFlags(advice.reading?.flags ?? advice.query?.flags ?? '');
  const best = advice.options?.[0];
  const choice = advice.answer?.choice ?? best;
  const options = {};
  for (const name of ['model', 'task', 'method', 'quantization', 'sequence', 'input-tokens', 'output-tokens', 'concurrency', 'batch', 'micro-batch', 'weights']) {
    if (read[name] !== undefined) options[name] = read[name];
  }
  if (best?.workload?.method) options.method = best.workload.method;
  const rungs = (advice.ladders?.[0]?.rungs ?? []).filter(each => each.fits);
  if (!best && rungs.length && !options.quantization) options.quantization = rungs[rungs.length - 1].quantization;
  if (choice) options.on = choice.count > 1 ? `${choice.accelerator}:${choice.count}` : choice.accelerator;
  return options;
}

async function advise(question, push, more = {}) {
  const own = ++turn;
  document.querySelector('.answer').classList.add('stale');
  document.querySelector('.answer').setAttribute('aria-busy', 'true');
  core.stop();
  const slow = setTimeout(() => { at('sentence').textContent = 'Searching'; at('mark').textContent = ''; }, 400);
  let told;
  try {
    told = await core.ask({command: 'advise', options: {...more, question, json: true}});
  } finally {
    clearTimeout(slow);
    document.querySelector('.answer').removeAttribute('aria-busy');
  }
  if (own !== turn) return;
  keep(more, question, push);
  const advice = told.body;
  if (advice.error) { showError(advice.error, null); return; }
  fail('');
  version = advice.version;
  forget();
  const headline = advice.answer?.headline ?? 'An answer in parts, below.';
  const verdict = advice.answer?.verdict ?? advice.answer?.choice?.verdict ?? (told.exit_code === 3 ? 'no' : 'yes');
  const [mark, kind] = marks[verdict] ?? marks.yes;
  say(/^(Yes|No|Barely)\b/.test(headline) ? '' : told.exit_code === 3 ? mark : '', kind, headline);
  const best = advice.options?.[0];
  const options = optionsOfAdvice(advice);
  if (options.model) showOptions(options);
  let answer = best ?? null;
  if (!answer && options.model && options.on) {
    const estimated = await core.ask(requestOf('estimate', options));
    answer = estimated.body.error ? null : estimated.body;
  }
  showAnswer(answer, options, advice, question, more);
  const part = at('part-options');
  if (part && (!best || advice.ladders?.length)) part.open = true;
}

function pin() {
  const {answer, options} = current;
  const {hardware} = answer;
  const title = `${answer.workload.model || files[0]?.name}, ${options.on ?? `${hardware.count} x ${hardware.accelerator}`}`;
  if (pins.length < 4) pins = [...pins, {title, answer}];
  showSections(at('sections'), current = {...current, pins});
}

function unpin(i) {
  pins = pins.filter((each, place) => place !== i);
  showSections(at('sections'), current = {...current, pins});
}

function apply(flags) {
  showOptions({...current.options, ...optionsOfFlags(flags)});
  estimate(true).catch(problem => fail(problem.message));
  at('verdict').focus();
}

/// Reads the address. What it cannot be is said, and the rest is asked.
async function followAddress() {
  const state = stateOf(location.hash);
  embed = state.embed;
  document.body.classList.toggle('embed', embed);
  if (state.q) {
    at('question').value = state.q;
    await advise(state.q, false, state.options);
  } else {
    forget();
    if (given.length) {
      takeFiles(given, state.options);
      given = [];
    } else {
      showOptions(Object.keys(state.options).length ? state.options : first);
    }
    await estimate(false);
  }
  const notes = state.wrong.map(name => `the link holds "${name}", which means nothing here`);
  if (state.version && version && state.version !== version) {
    notes.push(`the link was made by version ${state.version}, this is ${version}: figures may differ`);
  }
  if (notes.length) fail([at('problem').textContent, ...notes].filter(Boolean).join('; '));
}

/// Ids and names for the fields, after the first answer.
async function loadNames() {
  const told = await core.ask([{command: 'catalog', options: {verb: 'list', subject: 'accelerators', json: true}},
    {command: 'profiles', options: {verb: 'list', subject: 'models', json: true}}]);
  const [catalog, profiles] = told;
  names = new Map((catalog.body.accelerators ?? []).map(each => [each.id, each]));
  at('accelerators').replaceChildren(...[...names.values()].map(each => make('option', {value: each.id}, `${each.name}, ${gib(each.visible_memory_gib)}`)));
  at('models').replaceChildren(...(profiles.body.models ?? []).map(each => make('option', {value: each.id})));
  showHardware();
  if (current?.answer?.hardware && !current.advice) at('sentence').textContent = sentenceOf(current.answer);
}

function showHardware() {
  const known = names.get(at('hardware').value.trim().split(':')[0]);
  at('hardware-help').textContent = known ? `${known.name}: ${known.marketed_memory_gb} GB on the box${known.visible_memory_gib ? `, ${gib(known.visible_memory_gib)} shown` : ''}` : '';
}

/// Files are one run together: a trainer's file, its DeepSpeed file, the model's config.json.
async function readFiles(dropped) {
  const read = [];
  for (const each of dropped) {
    try {
      read.push(await readDropped(each));
    } catch (problem) {
      fail(`${each.name}: ${problem.message}.`);
      return;
    }
  }
  let on = '';
  try { on = optionsOfControls().on ?? ''; } catch { /* told when it is asked */ }
  takeFiles(read, files.length === 0 ? (on ? {on} : {}) : null);
  // A file may name its own hardware; what stands in the control is for those that do not.
  const told = await core.ask(requestOf('estimate', {}));
  const own = told.body.hardware;
  if (own) showOptions({...optionsOfControls(), on: own.count > 1 ? `${own.accelerator}:${own.count}` : own.accelerator});
  await estimate(false);
}

/// Files beside those that are read already; options: what the controls say from now on, null: as before.
function takeFiles(read, options) {
  files = [...files.filter(each => !read.some(one => one.name === each.name)), ...read];
  offerFileWords(true);
  if (options) showOptions(options);
  showFiles();
}

function showFiles() {
  at('opened').hidden = files.length === 0;
  at('opened').replaceChildren(...files.map(each => make('li', {}, each.name,
    make('button', {type: 'button', class: 'plain small', 'aria-label': `Put ${each.name} away`, onclick: () => putAway(each)}, 'Put away'))));
}

function putAway(gone) {
  files = files.filter(each => each !== gone);
  showFiles();
  if (files.length === 0) {
    forget();
    showOptions(first);
  }
  soon();
}

function forget() {
  files = [];
  offerFileWords(false);
  showFiles();
}

function listen() {
  at('ask').addEventListener('submit', event => {
    event.preventDefault();
    const question = at('question').value.trim();
    if (question) advise(question, true).catch(problem => fail(problem.message));
  });
  at('controls').addEventListener('submit', event => event.preventDefault());
  for (const id of ['tokens', 'many']) {
    at(id + '-slide').addEventListener('input', () => { setNumber(id, String(2 ** Number(at(id + '-slide').value))); soon(); });
    at(id).addEventListener('input', () => { placeSlider(id); soon(); });
  }
  for (const id of ['model', 'hardware', 'count', 'further', 'precision', 'use']) {
    at(id).addEventListener('input', () => {
      if (id === 'use') showUse();
      if (id === 'hardware') showHardware();
      if (id === 'model') forgetPixels();
    });
    // A half-typed name is no question yet.
    at(id).addEventListener(['count', 'precision', 'use'].includes(id) ? 'input' : 'change', soon);
  }
  at('controls').addEventListener('change', () => { if (core && current?.options && !current.advice) keep(current.options, '', true); });
  addEventListener('hashchange', () => { followAddress().catch(problem => fail(problem.message)); });
  addEventListener('popstate', () => { followAddress().catch(problem => fail(problem.message)); });
  addEventListener('resize', () => { if (current?.answer?.memory?.components) drawBar(at('bar'), current.answer.memory); });
  addEventListener('dragover', event => { event.preventDefault(); document.body.classList.add('dropping'); });
  addEventListener('dragleave', () => document.body.classList.remove('dropping'));
  addEventListener('drop', event => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    if (event.dataTransfer.files.length) readFiles([...event.dataTransfer.files]).catch(problem => fail(problem.message));
  });
  at('files').addEventListener('change', () => {
    readFiles([...at('files').files]).catch(problem => fail(problem.message));
    at('files').value = '';
  });
}

/// What `--open` wrote into the page, unless the address asks for something else.
async function takeState() {
  const text = textInside('state');
  if (!text || location.hash) return;
  const state = JSON.parse(text);
  history.replaceState(null, '', state.fragment || '#');
  given = state.files;
}

async function begin() {
  showUse();
  listen();
  try {
    core = await openCore();
    await takeState();
    await followAddress();
    at('origin').textContent = ['Ridgeline', version].filter(Boolean).join(' ') + '. ' + (core.kind === 'page'
      ? 'Everything is computed in this page; nothing leaves it.' : 'Answers come from the server that sent this page.');
    document.documentElement.dataset.ready = 'yes';
    await loadNames();
    document.documentElement.dataset.names = 'yes';
    core.warm();
  } catch (problem) {
    say('', 'wrong', 'This page cannot answer.');
    fail(String(problem.message ?? problem));
  }
}

if (typeof document === 'undefined') answerInWorker();
else begin();
