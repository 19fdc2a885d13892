// What stands folded below the answer: made when it is opened, and again when the answer changes.
import {duration, gib, make, number, rateOf, table, usd} from './format.js';
import {flagsOf} from './state.js';
import {instantChart, lineChart, rooflineChart, stepChart} from './charts.js';
import {emitPart} from './emitted.js';

const words = value => value === null || value === undefined ? 'unknown' : typeof value === 'object' ? JSON.stringify(value) : String(value);

function inputsOf(part) {
  return Object.entries(part.inputs ?? {}).map(([name, value]) => `${name} ${number(value, 6)}`).join(', ');
}

function components({answer}) {
  const {memory} = answer;
  const counters = memory.counters ?? {};
  const rows = memory.components.map(part => [part.name, gib(part.gib),
    make('span', {}, make('span', {class: 'mono'}, part.formula ?? ''), make('small', {}, inputsOf(part)),
      part.source ? make('small', {}, part.source) : null)]);
  const sums = [['allocated', counters.allocated_gib, 'torch.cuda.max_memory_allocated: tensors alive at the peak'],
    ['reserved', counters.reserved_gib, 'torch.cuda.max_memory_reserved: with what the allocator keeps'],
    ['of the process', counters.process_gib, 'nvidia-smi or amd-smi: with the context and the libraries; this decides']]
    .filter(([, size]) => size !== undefined).map(([name, size, help]) => [name, gib(size), help]);
  return [table('Held at the peak, in GiB (1024³ bytes)', [['component', false], ['size', true], ['formula', false]], rows, 'formulas'),
    table('By counter', [['counter', false], ['size', true], ['where it is read', false]], sums, 'formulas')];
}

function instants({answer}) {
  const {memory} = answer;
  return [instantChart(memory), table('Allocated at each instant of a step; the peak decides', [['instant', false], ['allocated', true]],
    memory.instants.map(each => [each.name + (each.name === memory.peak_instant ? ' (peak)' : ''), gib(each.gib)]))];
}

function time({answer}) {
  const {time} = answer;
  return [stepChart(time), table('Where the time goes', [['part', false], ['time', true], ['share', true], ['bound by', false]],
    time.components.map(each => [each.name, duration(each.s), number(100 * each.s / time.step_s, 2) + ' %', each.bound])),
  make('p', {}, `Model FLOP utilisation ${number(100 * time.mfu, 2)} %, bound by ${time.bound}.`)];
}

/// A long name wraps below its own beginning.
function indented({what, depth}) {
  const name = make('span', {}, what);
  name.style.display = 'block';
  name.style.paddingLeft = depth + 'ch';
  return name;
}

/// The step event by event, without the tensors that come and go within.
async function events({options, ask}) {
  const told = await ask('estimate', {...options, timeline: true});
  if (told.body.error) return [make('p', {class: 'problem'}, told.body.error.message)];
  const step = told.body.timeline;
  if (!step) return [make('p', {}, 'No step script is written for this workload: the components stand above.')];
  const rows = step.events.filter(each => !['take', 'give', 'wait'].includes(each.kind));
  return [table(`One step of the fullest card${step.micro_batches > 1 ? `: the last of ${step.micro_batches} micro-batches` : ''}`,
    [['event', false], ['stream', false], ['begins', true], ['takes', true], ['alive', true]],
    rows.map(each => [indented(each), each.takes_s > 0 ? each.stream : '',
      each.takes_s > 0 ? duration(each.begin_s) : '', each.takes_s > 0 ? duration(each.takes_s) : '',
      gib(each.alive_bytes / 1024 ** 3)]))];
}

function plan({answer}) {
  const parallel = Object.entries(answer.workload.parallel ?? {}).filter(([, value]) => value !== null).map(([name, value]) => [name.replace(/_/g, ' '), words(value)]);
  parallel.push(['recompute', words(answer.workload.recompute)]);
  for (const [name, value] of Object.entries(answer.workload.offload ?? {})) parallel.push(['offload ' + name, words(value)]);
  return [table('The plan', [['what', false], ['how', false]], parallel),
    table('What you did not say, and where it came from', [['field', false], ['taken as', false], ['from', false]],
      (answer.defaults ?? []).map(each => [each.field, each.value, each.from]))];
}

async function remedies({options, ask, apply}) {
  const told = await ask('remedies', options);
  if (told.body.error) return [make('p', {class: 'problem'}, told.body.error.message)];
  const rows = told.body.remedies.map(each => [each.change, each.fits ? 'fits' : 'does not fit', gib(each.peak_gib),
    each.time_ratio ? '× ' + number(each.time_ratio) : 'unknown', make('code', {}, each.flags),
    make('button', {type: 'button', class: 'plain small', onclick: () => apply(each.flags)}, 'Apply')]);
  return rows.length === 0 ? [make('p', {}, 'Nothing that it knows would help.')]
    : [table('One change at a time', [['change', false], ['verdict', false], ['needs', true], ['time', true], ['flags', false], ['', false]], rows)];
}

async function sweep({options, answer, askAll}) {
  const serving = answer.workload.task === 'inference';
  const pixels = answer.workload.batch?.image_size;
  const sizes = pixels ? [128, 224, 320, 448, 640, 896, 1280]
    : [1, 2, 4, 8, 16, 32, 64].map(times => times * (serving ? 1024 : 512));
  const name = pixels ? 'image-size' : serving ? 'input-tokens' : 'sequence';
  const told = await askAll('estimate', sizes.map(size => ({...options, [name]: String(size)})));
  return [lineChart(`Memory over ${pixels ? 'pixels a side' : serving ? 'tokens of a prompt' : 'tokens a sample'}, the best plan for each`, 'needs',
    sizes.map((size, i) => [size, told[i].body.memory ? told[i].body.memory.peak_gib : null]), answer.memory.capacity_gib)];
}

async function roofline({options, ask}) {
  const told = await ask('roofline', options);
  if (told.body.error) return [make('p', {class: 'problem'}, told.body.error.message)];
  const machine = told.body.machines[0];
  return [rooflineChart(machine), table('Operators, the slowest first', [['operator', false], ['time', true], ['share', true],
    ['FLOP a byte', true], ['TFLOP/s', true], ['bound by', false]],
  machine.operators.slice(0, 24).map(each => [`${each.operator}, ${each.phase}`, duration(each.s),
    number(100 * (each.kernel_share_ratio ?? 0), 2) + ' %', number(each.intensity_flop_per_byte), number(each.attained_tflops), each.bound]))];
}

/// What became of each key of the dropped files.
function fileNotes({answer, files}) {
  const row = what => each => [each.key || each.meaning, each.key ? each.value : '', each.key ? [what, each.meaning].filter(Boolean).join(' ') : what];
  const rows = file => [...file.read.map(row('')), ...file.ignored.map(row('decides nothing here:')), ...file.unknown.map(row('unknown:')),
    ...file.defaulted.map(row('not said: as the tool does'))].map(([key, value, what]) => [key, value.length > 40 ? value.slice(0, 39) + '…' : value, what]);
  return answer.imports.map((file, i) => table(`${files[i]?.name ?? 'File ' + (i + 1)}: ${file.kind}${file.version ? ', ' + file.version : ''}`,
    [['key', false], ['value', false], ['what became of it', false]], rows(file), 'formulas'));
}

function compare(context) {
  const {pins, pin, unpin} = context;
  const change = (value, base) => value > 0 && base > 0 && value !== base ? ` (${value >= base ? '+' : '−'}${number(100 * Math.abs(value / base - 1), 2)} %)` : '';
  const row = (title, value, shown) => [title, ...pins.map((each, i) => {
    const own = value(each.answer);
    return shown(own) + (i > 0 ? change(own, value(pins[0].answer)) : '');
  })];
  const parts = [make('p', {}, 'Keep an answer, change a control, keep the next: up to four side by side, differences from the first.'),
    make('div', {class: 'tools'}, make('button', {type: 'button', class: 'small', disabled: pins.length >= 4, onclick: pin}, 'Keep this answer'),
      ...pins.map((each, i) => make('button', {type: 'button', class: 'plain small', onclick: () => unpin(i)}, `Drop ${i + 1}`)))];
  if (pins.length) {
    const counted = [...new Set(pins.map(each => rateOf(each.answer).of))].join(' or ');
    parts.push(table('Side by side', [['', false], ...pins.map((each, i) => [`${i + 1}: ${each.title}`, true])], [
      row('needs', answer => answer.memory.peak_gib, gib), row('card shows', answer => answer.memory.capacity_gib, gib),
      ['verdict', ...pins.map(each => each.answer.memory.verdict)],
      row('a step, or an answer', answer => answer.time?.step_s, duration),
      row(`${counted} a second`, answer => rateOf(answer).each, number),
      row('an hour', answer => answer.cost?.usd_per_hour, usd),
      row(`a million ${counted}`, answer => rateOf(answer).usdPerMillion, usd)]));
  }
  return parts;
}

function options({advice}) {
  const parts = [];
  if (advice.options?.length) {
    const counted = rateOf(advice.options[0]).of;
    parts.push(table('Ranked', [['hardware', false], ['', false], ['needs', true], [`${counted} a second`, true], ['an hour', true], [`a million ${counted}`, true]],
      advice.options.map(each => [`${each.count} x ${each.accelerator}`, each.labels.join(', '), gib(each.memory?.peak_gib),
        number(rateOf(each).each), usd(each.cost?.usd_per_hour), usd(rateOf(each).usdPerMillion)])));
  }
  for (const ladder of advice.ladders ?? []) {
    parts.push(table(`Types of weights on ${ladder.accelerator}, ${ladder.context_tokens} tokens of context, one request`,
      [['weights', false], ['file', true], ['needs', true], ['fits', false], ['tokens a second', true]],
      ladder.rungs.map(each => [each.quantization, gib(each.file_gib), gib(each.needed_gib),
        each.fits ? 'yes' : `no, ${gib(-each.headroom_gib)} short`, each.fits ? number(each.tokens_per_s) : '–'])));
  }
  for (const miss of advice.near_misses ?? []) {
    parts.push(make('p', {class: 'note'}, `${miss.count} x ${miss.accelerator}: ${miss.message}. ` +
      (miss.would_fit_if?.length ? 'Would fit with ' + miss.would_fit_if.slice(0, 2).join('; ') + '.' : '')));
  }
  const reading = advice.reading ?? {};
  parts.push(make('p', {}, 'Read as ', make('code', {}, reading.flags ?? '')));
  for (const each of reading.assumed ?? []) parts.push(make('p', {class: 'note'}, `Assumed ${each.field} ${each.value}: ${each.why}.`));
  if (reading.not_understood?.length) parts.push(make('p', {class: 'note warning'}, 'Not understood: ' + reading.not_understood.join(', ')));
  return parts;
}

function notes({answer, advice}) {
  const all = advice?.findings?.length ? advice.findings : answer.findings ?? [];
  return all.map(each => make('p', {class: 'note ' + each.severity}, `${each.severity === 'info' ? 'Note' : each.severity}: ${each.message}. `,
    each.source ? make('small', {}, each.source) : null));
}

function provenance({answer}) {
  return [table('Where the figures come from', [['figure', false], ['value', false], ['how known', false], ['source', false]],
    (answer.provenance ?? []).map(each => [each.figure, each.value, each.tier, [each.source, each.date].filter(Boolean).join(', ')]))];
}

function download(name, type, text) {
  const link = make('a', {href: URL.createObjectURL(new Blob([text], {type})), download: name});
  link.click();
  URL.revokeObjectURL(link.href);
}

function csvOf(answer) {
  const cell = text => /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  const lines = [['component', 'gib', 'formula'], ...answer.memory.components.map(part => [part.name, String(part.gib), part.formula ?? ''])];
  return lines.map(line => line.map(cell).join(',')).join('\n') + '\n';
}

function share({options, advice, question, answer, link, files}) {
  const given = flagsOf(Object.fromEntries(files.map((each, i) => ['from' + ' '.repeat(i), each.name]))).replace(/ +(?= )/g, '');
  const line = advice ? `ridgeline advise '${question.replace(/'/g, "'\\''")}'` : ['ridgeline estimate', given, flagsOf(options)].filter(Boolean).join(' ');
  const field = (id, title, text) => {
    const area = make('textarea', {id, readonly: true, class: 'mono', rows: 2}, text);
    const copy = async () => {
      try { await navigator.clipboard.writeText(text); } catch { area.select(); document.execCommand('copy'); }
      button.textContent = 'Copied';
    };
    const button = make('button', {type: 'button', class: 'plain small', onclick: copy}, 'Copy');
    return make('div', {}, make('div', {class: 'tools'}, make('label', {for: id}, title), button), area);
  };
  return [field('line', 'On the command line', line), field('link', 'Link: all of it stands after #, which no server sees', link()),
    make('div', {class: 'tools'},
      make('button', {type: 'button', class: 'plain small', onclick: () => download('ridgeline.json', 'application/json', JSON.stringify(advice ?? answer, null, 2) + '\n')}, 'JSON'),
      make('button', {type: 'button', class: 'plain small', onclick: () => download('ridgeline.csv', 'text/csv', csvOf(answer))}, 'CSV of the components'),
      make('button', {type: 'button', class: 'plain small', onclick: () => window.print()}, 'Print'))];
}

const parts = [
  ['options', 'Hardware that fits', 'ranked, and what nearly does', options, context => context.advice],
  ['read', 'What the files say', 'each key, and what became of it', fileNotes, context => context.answer?.imports?.length],
  ['notes', 'Notes', 'what to look out for', notes, context => (context.advice?.findings ?? context.answer?.findings ?? []).length],
  ['components', 'Memory by component', 'with formulas and counters', components, context => context.answer?.memory?.components],
  ['instants', 'Memory over a step', 'which instant decides', instants, context => context.answer?.memory?.instants],
  ['time', 'Time by part', 'and what bounds it', time, context => context.answer?.time?.components],
  ['events', 'The step, event by event', 'kernels, exchanges, bytes alive', events,
    context => context.answer?.workload?.task === 'train' && context.options],
  ['plan', 'Plan and assumptions', 'what was filled in, from where', plan, context => context.answer?.workload],
  ['remedies', 'What would help', 'changes to apply', remedies, context => context.answer?.workload && context.options],
  ['sweep', 'Longer and shorter', 'memory over the length', sweep, context => context.answer?.workload && context.options],
  ['roofline', 'Roofline', 'what bounds each operator', roofline, context => context.answer?.workload && context.options],
  ['compare', 'Compare', 'up to four answers', compare, context => context.answer?.memory],
  ['provenance', 'Sources', 'of every figure', provenance, context => context.answer?.provenance],
  ['emit', 'Write it for another tool', 'the plan as its configuration', emitPart, context => context.answer?.workload && context.options],
  ['share', 'Command line, link, files', 'the same answer elsewhere', share, context => context.answer],
];

let shown = null;

async function fill(id, build, place) {
  const context = shown;
  let made;
  try {
    made = await build(context);
  } catch (problem) {
    if (problem.message === 'stopped') return;
    made = [make('p', {class: 'problem'}, problem.message)];
  }
  if (context === shown) place.replaceChildren(...made.filter(Boolean));
}

/// Shows which parts there are; those that stand open are made anew.
export function showSections(root, context) {
  shown = context;
  for (const [id, title, help, build, wanted] of parts) {
    let part = document.getElementById('part-' + id);
    if (!part) {
      const place = make('div', {});
      part = make('details', {class: 'part', id: 'part-' + id}, make('summary', {}, title, make('small', {}, help)), place);
      part.addEventListener('toggle', () => { if (part.open) fill(id, build, place); });
      root.append(part);
    }
    part.hidden = !wanted(context);
    if (part.open && !part.hidden) fill(id, build, part.lastElementChild);
  }
}
