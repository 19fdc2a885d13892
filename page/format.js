// Figures as people read them, and elements made from values. Nothing here becomes markup: texts of
// the core and of links go through textContent.

/// 4 significant digits at most, thousands parted.
export function number(value, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return 'unknown';
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en-US');
  if (size === 0) return '0';
  return String(Number(value.toPrecision(digits)));
}

export function gib(value) {
  if (value === null || value === undefined) return 'unknown';
  if (Math.abs(value) >= 9999.5) return (value / 1024).toFixed(1) + ' TiB';
  const size = Math.abs(value);
  return (size >= 999.95 ? value.toFixed(0) : size >= 9.995 ? value.toFixed(1) : value.toFixed(2)) + ' GiB';
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return 'unknown';
  if (seconds < 1e-3) return number(seconds * 1e6) + ' µs';
  if (seconds < 1) return number(seconds * 1e3) + ' ms';
  if (seconds < 120) return number(seconds) + ' s';
  if (seconds < 7200) return number(seconds / 60) + ' min';
  if (seconds < 172800) return number(seconds / 3600) + ' h';
  return number(seconds / 86400) + ' days';
}

export function usd(value) {
  if (value === null || value === undefined) return 'unknown';
  return '$' + (value >= 100 ? Math.round(value).toLocaleString('en-US') : value >= 0.1 ? value.toFixed(2) : number(value, 2));
}

/// What the rate of an answer counts and how many a second: tokens, or samples of what has none.
export function rateOf(answer) {
  const {time, workload, cost} = answer;
  if (!time || time.tokens_per_s) {
    return {of: 'tokens', each: time?.tokens_per_s, usdPerMillion: cost?.usd_per_million_tokens};
  }
  return {of: workload?.batch?.image_size ? 'images' : 'samples', each: time.samples_per_s,
    usdPerMillion: cost?.usd_per_sample ? 1e6 * cost.usd_per_sample : undefined};
}

const drawing = new Set(['svg', 'rect', 'text', 'line', 'path', 'g', 'title', 'circle']);

/// An element: make('a', {href: '#'}, 'text', other).
export function make(name, attributes = {}, ...children) {
  const node = drawing.has(name)
    ? document.createElementNS('http://www.w3.org/2000/svg', name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

/// A table: columns are [title, isNumber], rows lists of texts or nodes; the first cell heads its row.
export function table(caption, columns, rows, look = null) {
  const heads = columns.map(([title, isNumber]) => make('th', {scope: 'col', class: isNumber ? 'n' : null}, title));
  const lines = rows.map(row => make('tr', {}, ...row.map((cell, i) =>
    i === 0 ? make('th', {scope: 'row'}, cell ?? '') : make('td', {class: columns[i][1] ? 'n' : null}, cell ?? ''))));
  return make('table', {class: look}, make('caption', {}, caption), make('thead', {}, make('tr', {}, ...heads)),
    make('tbody', {}, ...lines));
}
