// A piece that src/web/compressed.cpp wrote: raw LZMA with the settings lp and pb both 0 or both 1. Browsers
// unpack gzip by themselves, which takes a third more room.

const FIRST = {match: 0, again: 24, latest: 36, second: 48, third: 60, longer: 72, slots: 96, places: 352, low: 480,
  length: 496, repeated: 792, letters: 1088};

/// The `size` bytes that `packed` holds, where so many bits of a byte tell what follows it, and 8 more that
/// they are pairs, of which each byte has its own.
export function unsqueezed(packed, size, setting) {
  const bitsBefore = setting & 7, pairs = setting >> 3;
  const bytes = new Uint8Array(size);
  const odds = new Uint16Array(FIRST.letters + (0x300 << bitsBefore + pairs)).fill(1024);
  const span = new Uint32Array([0xffffffff, 0]);  // the coder's range, and where in it the code stands
  let next = 1;
  const refill = () => {
    if (span[0] >= 0x1000000) return;
    span[0] <<= 8;
    span[1] = span[1] << 8 | packed[next++];
  };
  while (next < 5) span[1] = span[1] << 8 | packed[next++];
  const bit = place => {
    const odd = odds[place];
    const bound = Math.imul(span[0] >>> 11, odd) >>> 0;
    const one = span[1] >= bound ? 1 : 0;
    if (one) {
      span[0] -= bound;
      span[1] -= bound;
      odds[place] = odd - (odd >> 5);
    } else {
      span[0] = bound;
      odds[place] = odd + (2048 - odd >> 5);
    }
    refill();
    return one;
  };
  const evenBits = count => {
    let value = 0;
    for (; count > 0; --count) {
      span[0] >>>= 1;
      const one = span[1] >= span[0] ? 1 : 0;
      if (one) span[1] -= span[0];
      value = value << 1 | one;
      refill();
    }
    return value;
  };
  /// Bits one after another down a tree, from `at` to below `end`: most of the time goes by here, so that
  /// range and code are kept at hand.
  const walk = (first, at, end) => {
    let range = span[0], code = span[1];
    while (at < end) {
      const place = first + at;
      const odd = odds[place];
      const bound = Math.imul(range >>> 11, odd) >>> 0;
      if (code >= bound) {
        range = range - bound >>> 0;
        code = code - bound >>> 0;
        odds[place] = odd - (odd >> 5);
        at = at << 1 | 1;
      } else {
        range = bound;
        odds[place] = odd + (2048 - odd >> 5);
        at <<= 1;
      }
      if (range < 0x1000000) {
        range = range << 8 >>> 0;
        code = (code << 8 | packed[next++]) >>> 0;
      }
    }
    span[0] = range;
    span[1] = code;
    return at;
  };
  const tree = (first, bits) => walk(first, 1, 1 << bits) - (1 << bits);
  const turned = (first, bits) => {
    let value = 0;
    for (let i = 0, at = 1; i < bits; ++i) {
      const one = bit(first + at);
      at = at << 1 | one;
      value |= one << i;
    }
    return value;
  };
  const lengthOf = first => {
    const low = first + 8 + 8 * (at & pairs);
    return !bit(first) ? tree(low, 3) : !bit(first + 1) ? 8 + tree(low + 16, 3) : 16 + tree(first + 40, 8);
  };
  const distanceOf = length => {
    const slot = tree(FIRST.slots + 64 * Math.min(length, 3), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | slot & 1) << bits;
    return slot < 14 ? base + turned(FIRST.places + base - slot, bits) : base + (evenBits(bits - 4) << 4) + turned(FIRST.low, 4);
  };
  let state = 0, back = [0, 0, 0, 0], at = 0;
  const letter = () => {
    const first = FIRST.letters + 0x300 * (((at & pairs) << bitsBefore) + (at > 0 ? bytes[at - 1] >> 8 - bitsBefore : 0));
    let value = 1;
    if (state >= 7) {
      for (let likely = bytes[at - back[0] - 1]; value < 0x100; likely <<= 1) {
        const expected = likely >> 7 & 1;
        const one = bit(first + (1 + expected << 8) + value);
        value = value << 1 | one;
        if (one !== expected) break;
      }
    }
    return walk(first, value, 0x100);
  };
  while (at < size) {
    const turn = 2 * state + (at & pairs);
    if (!bit(FIRST.match + turn)) {
      bytes[at] = letter();
      ++at;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let length = 0;
    if (!bit(FIRST.again + state)) {
      length = lengthOf(FIRST.length);
      back = [distanceOf(length), back[0], back[1], back[2]];
      state = state < 7 ? 7 : 10;
    } else {
      if (bit(FIRST.latest + state)) {
        const which = !bit(FIRST.second + state) ? 1 : 2 + bit(FIRST.third + state);
        const [distance] = back.splice(which, 1);
        back.unshift(distance);
      } else if (!bit(FIRST.longer + turn)) {
        state = state < 7 ? 9 : 11;
        bytes[at] = bytes[at - back[0] - 1];
        ++at;
        continue;
      }
      length = lengthOf(FIRST.repeated);
      state = state < 7 ? 8 : 11;
    }
    for (const end = Math.min(size, at + length + 2); at < end; ++at) bytes[at] = bytes[at - back[0] - 1];
  }
  return bytes;
}
