// What is asked, as the address after # holds it: options by their names in the program, and q for a
// question in words. Nothing of it is ever sent to a server by the browser.

/// {q, options, version} of a fragment; what is no name=value is told in `wrong`.
export function stateOf(fragment) {
  const state = {q: '', options: {}, version: '', embed: false, wrong: []};
  for (const piece of fragment.replace(/^#/, '').split('&')) {
    if (piece === '') continue;
    if (piece === 'embed') { state.embed = true; continue; }
    const at = piece.indexOf('=');
    let name, value;
    try {
      name = decodeURIComponent(piece.slice(0, at < 0 ? piece.length : at));
      value = at < 0 ? 'true' : decodeURIComponent(piece.slice(at + 1).replace(/\+/g, ' '));
    } catch { state.wrong.push(piece.slice(0, 40)); continue; }
    if (name === 'q') state.q = value;
    else if (name === 'v') state.version = value;
    else if (/^[a-z][a-z0-9-]*$/.test(name)) state.options[name] = value;
    else state.wrong.push(name.slice(0, 40));
  }
  return state;
}

export function fragmentOf(state, version) {
  const encode = text => encodeURIComponent(text).replace(/%20/g, '+').replace(/%3A/g, ':').replace(/%2C/g, ',');
  const pieces = state.q ? ['q=' + encode(state.q)] : [];
  for (const [name, value] of Object.entries(state.options)) pieces.push(name + '=' + encode(value));
  if (version) pieces.push('v=' + version);
  if (state.embed) pieces.push('embed');
  return '#' + pieces.join('&');
}

/// Words of a command line: --name value, --name=value, --switch, with quotes. Throws what is wrong.
export function optionsOfFlags(text) {
  const words = [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(found => found[1] ?? found[2] ?? found[3]);
  const options = {};
  for (let i = 0; i < words.length; ++i) {
    if (!words[i].startsWith('--')) throw new Error(`found "${words[i]}", expected --name value`);
    const [name, ...rest] = words[i].slice(2).split('=');
    if (rest.length) options[name] = rest.join('=');
    else if (i + 1 < words.length && !words[i + 1].startsWith('--')) options[name] = words[++i];
    else options[name] = 'true';
  }
  return options;
}

export function flagsOf(options) {
  const quoted = value => /^[\w.:,\/=+-]+$/.test(value) ? value : "'" + value.replace(/'/g, "'\\''") + "'";
  return Object.entries(options).map(([name, value]) => `--${name} ${quoted(String(value))}`).join(' ');
}
