// The one script that stands in the page as it is: it unpacks the others, of which the policy of the page knows the
// hash, and the texts that the page came with. Packed, they take a quarter of the room.
import {unsqueezed} from './lzma.js';

/// The bytes of a text as a page of windows-1252 holds them: runs, each behind a key that was added to its bytes, and its
/// length in fours.
function bytesOf(text) {
  const byteOf = new Uint8Array(0x10000);
  const letters = new TextDecoder('windows-1252').decode(Uint8Array.from({length: 256}, (_, byte) => byte));
  for (let byte = 0; byte < 256; ++byte) byteOf[letters.charCodeAt(byte)] = byte;
  const bytes = new Uint8Array(text.length);
  let at = 0;
  for (let i = 0; i < text.length;) {
    const key = byteOf[text.charCodeAt(i++)];
    const end = i + 1 + 4 * byteOf[text.charCodeAt(i++)];
    for (; i < end && i < text.length; ++i) bytes[at++] = byteOf[text.charCodeAt(i)] - key;
  }
  return bytes.subarray(0, at);
}

globalThis.unpacked = id => {
  const part = document.getElementById(id);
  const packed = bytesOf(part.textContent);
  const told = new DataView(packed.buffer);
  const bytes = new Uint8Array(Number(part.dataset.bytes));
  for (let from = 0, at = 0; at < bytes.length;) {  // pieces, each behind its bits, its size and what it takes
    const size = told.getUint32(from + 1, true);
    const next = from + 9 + told.getUint32(from + 5, true);
    bytes.set(unsqueezed(packed.subarray(from + 9, next), size, packed[from]), at);
    at += size;
    from = next;
  }
  return bytes;
};

const looks = new CSSStyleSheet();
looks.replaceSync(new TextDecoder().decode(unpacked('style')));
document.adoptedStyleSheets = [looks];

const rest = document.createElement('script');
rest.type = 'module';
rest.id = 'rest';
rest.textContent = new TextDecoder().decode(unpacked('script'));
document.body.append(rest);
