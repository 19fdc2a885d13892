// Charts of the folded parts: memory over a length, the roofline, the parts of a step. Each has a table
// beside it that says the same.
import {duration, gib, make, number, table} from './format.js';

/// As wide as there is room, so that words keep their size.
function roomForChart() {
  const room = document.getElementById('sections').clientWidth;
  return Math.max(280, Math.min(720, room - 4));
}

function chartOf(label, height, parts) {
  return make('svg', {viewBox: `0 0 ${roomForChart()} ${height}`, role: 'img', 'aria-label': label, class: 'chart'}, ...parts);
}

/// Memory over a quantity that doubles: points are [quantity, GiB or null].
export function lineChart(title, unit, points, edge) {
  const width = roomForChart();
  const known = points.filter(([, y]) => y !== null && y !== undefined);
  const rows = table(title, [['', false], [unit, true]],
    points.map(([x, y]) => [x.toLocaleString('en-US'), y === null ? 'unknown' : gib(y)]));
  if (known.length < 2) return make('figure', {}, rows);
  const high = Math.max(edge ?? 0, ...known.map(([, y]) => y)) * 1.08;
  const step = (width - 80) / (known.length - 1);
  const level = y => 206 - y / high * 180;
  const place = known.map(([x, y], i) => [40 + i * step, level(y), x, y]);
  const short = x => x >= 1024 && x % 1024 === 0 ? x / 1024 + 'k' : String(x);
  const parts = [make('line', {x1: 20, x2: width - 4, y1: 206, y2: 206, class: 'axis'}),
    make('path', {class: 'rule', d: place.map(([x, y], i) => (i ? 'L' : 'M') + x + ' ' + y).join('')})];
  if (edge) {
    parts.push(make('line', {x1: 20, x2: width - 4, y1: level(edge), y2: level(edge), class: 'edge'}),
      make('text', {x: 22, y: level(edge) - 5, class: 'soft'}, `the card shows ${gib(edge)}`));
  }
  for (const [x, y, name, value] of place) {
    parts.push(make('rect', {x: x - 4, y: y - 4, width: 8, height: 8, class: 'k0'}, make('title', {}, `${name}: ${gib(value)}`)));
    parts.push(make('text', {x, y: 222, 'text-anchor': 'middle', class: 'soft'}, short(name)));
  }
  return make('figure', {}, chartOf(title, 230, parts), rows);
}

/// The parts of a step, one after the other.
export function stepChart(time) {
  const width = roomForChart();
  const whole = time.components.reduce((sum, part) => sum + part.s, 0);
  if (!(whole > 0)) return null;
  const parts = [];
  let at = 0;
  time.components.forEach((part, i) => {
    const wide = part.s / whole * width;
    const piece = make('g', {}, make('title', {}, `${part.name} ${duration(part.s)}, bound by ${part.bound}`),
      make('rect', {x: at, y: 4, width: Math.max(0.5, wide - 1.5), height: 40, class: 'k' + i % 8}));
    const label = [`${part.name} ${duration(part.s)}`, part.name].find(text => wide > text.length * 8.3 + 14);
    if (label) piece.append(make('text', {x: at + 8, y: 28, class: 'inside'}, label));
    parts.push(piece);
    at += wide;
  });
  parts.push(make('text', {x: 0, y: 60, class: 'soft'}, '0'),
    make('text', {x: width, y: 60, 'text-anchor': 'end', class: 'soft'}, duration(whole)));
  const keys = make('ul', {class: 'keys'}, ...time.components.map((part, i) => make('li', {},
    make('i', {class: 'k' + i % 8, 'aria-hidden': 'true'}), `${part.name} ${duration(part.s)}, ${part.bound}`)));
  return make('figure', {}, chartOf('The parts of a step: ' +
    time.components.map(part => `${part.name} ${duration(part.s)}`).join(', '), 66, parts), keys);
}

/// Memory at the instants of a step, the card's edge above.
export function instantChart(memory) {
  const width = roomForChart();
  const high = Math.max(memory.capacity_gib ?? 0, ...memory.instants.map(each => each.gib)) * 1.05;
  const level = size => size / high * (width - 4);
  const parts = [];
  memory.instants.forEach((each, i) => {
    const y = 8 + i * 40;
    const peak = each.name === memory.peak_instant;
    parts.push(make('text', {x: 0, y: y + 10}, `${each.name} ${gib(each.gib)}${peak ? ', the peak' : ''}`),
      make('rect', {x: 0, y: y + 15, width: level(each.gib), height: 14, class: peak ? 'k1' : 'k0'}));
  });
  const bottom = 8 + memory.instants.length * 40;
  if (memory.capacity_gib) {
    parts.push(make('line', {x1: level(memory.capacity_gib), x2: level(memory.capacity_gib), y1: 4, y2: bottom, class: 'edge'}),
      make('text', {x: level(memory.capacity_gib) - 6, y: bottom + 8, 'text-anchor': 'end', class: 'soft'}, `the card shows ${gib(memory.capacity_gib)}`));
  }
  return make('figure', {}, chartOf('Memory at each instant of a step', bottom + 14, parts));
}

const powers = (low, high) => {
  const found = [];
  for (let power = Math.ceil(Math.log10(low)); power <= Math.floor(Math.log10(high)); ++power) found.push(10 ** power);
  return found;
};

/// Operators below the roofs of one machine: FLOP a byte against TFLOP/s, both in powers of ten.
export function rooflineChart(machine) {
  const width = roomForChart();
  const height = 300;
  const left = 46;
  const shown = machine.operators.filter(each => each.intensity_flop_per_byte > 0 && each.attained_tflops > 0);
  if (shown.length === 0) return null;
  const xs = [...shown.map(each => each.intensity_flop_per_byte), ...machine.roofs.map(each => each.ridge_point_flop_per_byte)];
  const ys = [...shown.map(each => each.attained_tflops), ...machine.roofs.map(each => each.peak_tflops)];
  const [lowX, highX] = [Math.min(...xs) / 3, Math.max(...xs) * 3];
  const [lowY, highY] = [Math.min(...ys) / 3, Math.max(...ys) * 2];
  const along = (value, low, high) => Math.log(value / low) / Math.log(high / low);
  const x = value => left + along(value, lowX, highX) * (width - left - 8);
  const y = value => height - 34 - along(value, lowY, highY) * (height - 56);
  const parts = [];
  for (const value of powers(lowX, highX)) {
    parts.push(make('line', {x1: x(value), x2: x(value), y1: 18, y2: height - 34, class: 'grid-line'}),
      make('text', {x: x(value), y: height - 18, 'text-anchor': 'middle', class: 'soft'}, number(value)));
  }
  for (const value of powers(lowY, highY)) {
    parts.push(make('line', {x1: left, x2: width - 8, y1: y(value), y2: y(value), class: 'grid-line'}),
      make('text', {x: left - 5, y: y(value) + 4, 'text-anchor': 'end', class: 'soft'}, number(value)));
  }
  parts.push(make('text', {x: width - 8, y: height - 3, 'text-anchor': 'end', class: 'soft'}, 'FLOP a byte'),
    make('text', {x: 0, y: 12, class: 'soft'}, 'TFLOP/s'));
  for (const roof of machine.roofs) {
    const slope = value => Math.min(roof.peak_tflops, value * roof.bandwidth_gb_per_s / 1000);
    const corners = [Math.max(lowX, lowY * 1000 / roof.bandwidth_gb_per_s), roof.ridge_point_flop_per_byte, highX];
    parts.push(make('path', {class: 'rule', d: corners.map((value, i) => `${i ? 'L' : 'M'}${x(value)} ${y(slope(value))}`).join('')}),
      make('text', {x: width - 10, y: y(roof.peak_tflops) - 6, 'text-anchor': 'end'}, `${roof.type.split('_')[0]}${roof.type.includes('accumulate') ? ', fp16 sums' : ''}: ${number(roof.peak_tflops)} TFLOP/s`));
  }
  for (const each of shown) {
    parts.push(make('circle', {cx: x(each.intensity_flop_per_byte), cy: y(each.attained_tflops),
      r: 3 + 14 * Math.sqrt(each.kernel_share_ratio ?? 0), class: each.bound === 'compute' ? 'dot k0' : 'dot k1'},
    make('title', {}, `${each.operator}, ${each.phase}: ${number(each.attained_tflops)} TFLOP/s at ${number(each.intensity_flop_per_byte)} FLOP a byte, bound by ${each.bound}`)));
  }
  return make('figure', {}, chartOf('Roofline: operators below what the card reaches', height, parts),
    make('ul', {class: 'keys'}, make('li', {}, make('i', {class: 'k0', 'aria-hidden': 'true'}), 'bound by compute'),
      make('li', {}, make('i', {class: 'k1', 'aria-hidden': 'true'}), 'bound by memory or else'), make('li', {}, 'the larger, the more of the time')));
}
