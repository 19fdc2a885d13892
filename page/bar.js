// The stacked bar: what is held at the peak, against the memory that the card shows.
import {gib, make} from './format.js';

const top = 22;
const height = 46;

/// [name, GiB] of what is held, the smallest joined, and what lies beside the program's own tensors.
export function piecesOf(memory) {
  const counters = memory.counters ?? {};
  const all = memory.components.map(part => [part.name, part.gib]);
  if (counters.reserved_gib !== undefined) {
    all.push(['allocator reserve', counters.reserved_gib - counters.allocated_gib]);
    all.push(['context and libraries', counters.process_gib - counters.reserved_gib]);
  }
  const sorted = all.filter(([, size]) => size > 0).sort((a, b) => b[1] - a[1]);
  const few = sorted.slice(0, 7);
  const rest = sorted.slice(7).reduce((sum, [, size]) => sum + size, 0);
  return rest > 0 ? [...few, ['all others', rest]] : few;
}

/// Drawn at the width that there is, so that its words stay as large as the others.
export function drawBar(place, memory) {
  const width = Math.max(240, place.clientWidth);
  const narrow = width <= 420;
  const pieces = piecesOf(memory);
  const needed = memory.peak_gib;
  const most = Math.max(memory.capacity_gib ?? 0, memory.high_gib ?? needed, needed) * 1.02;
  const x = size => size / most * width;
  const parts = [];
  if (memory.capacity_gib > needed) {
    parts.push(make('rect', {x: x(needed), y: top, width: x(memory.capacity_gib - needed), height, class: 'free'}));
  }
  let at = 0;
  const scale = needed / pieces.reduce((sum, [, size]) => sum + size, 0);
  pieces.forEach(([name, size], i) => {
    const wide = x(size * scale);
    const label = [`${name} ${gib(size)}`, name, gib(size)].find(text => wide > text.length * 8.3 + 14);
    const piece = make('g', {}, make('title', {}, `${name} ${gib(size)}`),
      make('rect', {x: at, y: top, width: Math.max(0.5, wide - 1.5), height, class: 'k' + i}));
    if (label) piece.append(make('text', {x: at + 8, y: top + 28, class: 'inside'}, label));
    parts.push(piece);
    at += wide;
  });
  const middle = top + height + 12;
  if (memory.low_gib !== undefined) {
    parts.push(make('path', {class: 'rule',
      d: `M${x(memory.low_gib)} ${middle - 5}v10M${x(memory.low_gib)} ${middle}H${x(memory.high_gib)}M${x(memory.high_gib)} ${middle - 5}v10`}));
    // Beside the range, or where neither side has room below it.
    const end = x(memory.low_gib) > 190;
    const below = !end && width - x(memory.high_gib) < 190;
    parts.push(make('text', {x: end ? x(memory.low_gib) - 8 : below ? 0 : x(memory.high_gib) + 8, y: middle + (below ? 19 : 4),
      'text-anchor': end ? 'end' : 'start', class: 'soft'}, `may be ${gib(memory.low_gib)} to ${gib(memory.high_gib)}`));
  }
  if (memory.capacity_gib) {
    const card = x(memory.capacity_gib);
    const end = card > width - 190;
    parts.push(make('line', {x1: card, x2: card, y1: 4, y2: top + height + 22, class: 'edge'}));
    if (!narrow) parts.push(make('text', {x: end ? card - 8 : card + 8, y: 15, 'text-anchor': end ? 'end' : 'start'},
      `the card shows ${gib(memory.capacity_gib)}`));
  }
  parts.push(make('text', {x: 0, y: 15}, `needs ${gib(needed)}` + (narrow && memory.capacity_gib ? ` of ${gib(memory.capacity_gib)}` : '')));
  const chart = make('svg', {viewBox: `0 0 ${width} ${top + height + 36}`, role: 'img',
    'aria-label': `Memory: ${gib(needed)} of ${gib(memory.capacity_gib)}. ` +
      pieces.map(([name, size]) => `${name} ${gib(size)}`).join(', ')}, ...parts);
  const keys = make('ul', {class: 'keys'}, ...pieces.map(([name, size], i) =>
    make('li', {}, make('i', {class: 'k' + i, 'aria-hidden': 'true'}), `${name} ${gib(size)}`)));
  place.replaceChildren(make('figure', {}, chart, keys));
}
