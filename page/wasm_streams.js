// Puts a WebAssembly module together that src/web/wasm_streams.cpp took apart; its layout and codes are explained there.

const STREAMS = ['around', 'common', 'operations', 'heads', 'got', 'put', 'blocks', 'branches', 'calls', 'words', 'places',
  'longs', 'floats', 'fields', 'rest', 'own'];  // the last: the operand of a common instruction
const STREAM = Object.fromEntries(STREAMS.map((name, place) => [name, place]));
const WIDTHS = [...'23230011001122232301012'].map(Number);
const ALIGNED = 0xd8, WIDE = 0xdc, COMMON = 0xe0;

/// The stream of the operands of an instruction, by its code.
const STREAM_OF = new Uint8Array(256);
for (const [name, codes] of Object.entries({got: [0x20], put: [0x21, 0x22], blocks: [2, 3, 4], branches: [0xc, 0xd], calls: [0x10],
  words: [0x41], places: [WIDE], longs: [0x42], floats: [0x43, 0x44], rest: [0xe, 0x11, 0x23, 0x24, 0x3f, 0x40, 0xfc]})) {
  for (const code of codes) STREAM_OF[code] = STREAM[name];
}
STREAM_OF.fill(STREAM.fields, 0x28, 0x3f);

/// The module of these bytes; a module that was left as it is comes back as it is.
export function joined(bytes) {
  if (bytes[0] === 0) return bytes;
  let start = 0;
  const header = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      value += (bytes[start] & 127) * scale;
      if (bytes[start++] < 128) return value;
    }
  };
  const module = new Uint8Array(header() + 10);  // and room for sizes that are not known yet
  const begin = header();
  const next = new Uint32Array(STREAMS.length);  // where each stream goes on
  const sizes = Array.from({length: STREAM.own}, header);
  sizes.forEach((size, stream) => { next[stream] = start; start += size; });
  let to = 0;
  const write = value => {
    for (; value > 127; value >>>= 7) module[to++] = value & 127 | 128;
    module[to++] = value;
  };
  const read = stream => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const part = bytes[next[stream]++];
      value |= (part & 127) << shift;
      if (part < 128) return value;
    }
  };
  const pass = (stream, numbers) => {
    for (; numbers > 0; --numbers) {
      do module[to++] = bytes[next[stream]];
      while (bytes[next[stream]++] > 127);
    }
  };
  /// Writes what `inner` writes behind its size.
  const sized = inner => {
    const place = to;
    to += 5;
    inner();
    const end = to;
    to = place;
    write(end - place - 5);
    module.copyWithin(to, place + 5, end);
    to += end - place - 5;
  };
  /// The local that was used so lately; `latest` begins as 0, 1, 2 and so on.
  const local = (latest, rank) => {
    while (latest.length <= rank) latest.push(latest.length);
    const index = latest[rank];
    for (; rank > 0; --rank) latest[rank] = latest[rank - 1];
    return latest[0] = index;
  };
  const common = next[STREAM.common];
  const operation = () => bytes[next[STREAM.operations]++];
  const body = () => {
    const kinds = read(STREAM.heads);
    write(kinds);
    pass(STREAM.heads, 2 * kinds);
    const latest = [];
    for (let depth = 1; depth > 0;) {
      let code = operation();
      const alignment = code >= ALIGNED && code < WIDE ? code - ALIGNED : -1;
      if (alignment >= 0) code = operation();
      const own = code >= COMMON && code < COMMON + 16;
      if (own) {
        next[STREAM.own] = common + 4 * (code - COMMON);
        code = bytes[next[STREAM.own]++];
      }
      const stream = own ? STREAM.own : STREAM_OF[code];
      module[to++] = code === WIDE ? 0x41 : code;
      if (code === 0xb) --depth;
      if (stream === 0) continue;
      if (code >= 0x20 && code <= 0x22) {
        write(local(latest, read(stream)));
      } else if (code >= 0x28 && code <= 0x3e) {
        module[to++] = alignment < 0 ? WIDTHS[code - 0x28] : alignment;
        pass(stream, 1);
      } else if (code === 0x10) {
        write(bytes[next[stream]++] << 8 | bytes[next[stream]++]);
      } else if (code === WIDE) {
        let value = bytes[next[stream]++] | bytes[next[stream]++] << 8 | bytes[next[stream]++] << 16;
        for (; value > 63; value >>= 7) module[to++] = value & 127 | 128;  // its last bit is a sign
        module[to++] = value;
      } else if (code === 0xe) {
        const targets = read(stream);
        write(targets);
        pass(stream, targets + 1);
      } else if (code === 0x43 || code === 0x44) {
        for (let size = code === 0x43 ? 4 : 8; size > 0; --size) module[to++] = bytes[next[stream]++];
      } else if (code === 0xfc) {
        const kind = bytes[next[stream]];
        pass(stream, kind === 10 ? 3 : kind === 11 ? 2 : 1);
      } else {
        if (code <= 4) ++depth;
        pass(stream, code === 0x11 ? 2 : 1);
      }
    }
  };
  const around = next[STREAM.around];
  const piece = (from, end) => {
    module.set(bytes.subarray(around + from, around + end), to);
    to += end - from;
  };
  piece(0, begin);
  module[to++] = 10;
  sized(() => {
    const bodies = read(STREAM.heads);
    write(bodies);
    for (let i = 0; i < bodies; ++i) sized(body);
  });
  piece(begin, sizes[STREAM.around]);
  return module.subarray(0, to);
}
