// Files dropped on the page: told by their first bytes, read by slices as far as their header goes, and
// never sent anywhere but to the core. Each becomes the text that --from takes.

const largestText = 1 << 20;       // of a configuration
const largestHeader = 64 << 20;    // of weights: names and shapes of all tensors
const mostEntries = 1 << 20;       // keys, tensors, items of a vocabulary

/// Bytes of a file from its start, fetched piece by piece as they are asked for.
class Slices {
  constructor(file, piece = 1 << 18) {
    this.file = file;
    this.piece = piece;
    this.bytes = new Uint8Array(0);
    this.from = 0;
    this.at = 0;
  }

  async need(count) {
    const end = this.at + count;
    if (end > largestHeader) throw new Error('its header is larger than 64 MiB');
    if (end > this.file.size) throw new Error('it ends within its header');
    if (end <= this.from + this.bytes.length) return;
    const upTo = Math.min(this.file.size, Math.max(end, this.at + this.piece));
    this.bytes = new Uint8Array(await this.file.slice(this.at, upTo).arrayBuffer());
    this.from = this.at;
  }

  async view(count) {
    await this.need(count);
    const start = this.bytes.byteOffset + this.at - this.from;
    this.at += count;
    return new DataView(this.bytes.buffer, start, count);
  }

  async u32() { return (await this.view(4)).getUint32(0, true); }

  /// Sizes above 2^53 are lies anyway.
  async u64() { return Number((await this.view(8)).getBigUint64(0, true)); }

  async text() {
    const length = await this.u64();
    if (length > largestText) throw new Error(`it claims a word of ${length} bytes`);
    const view = await this.view(length);
    return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset, length));
  }
}

const scalars = {0: [1, 'getUint8'], 1: [1, 'getInt8'], 2: [2, 'getUint16'], 3: [2, 'getInt16'], 4: [4, 'getUint32'],
  5: [4, 'getInt32'], 6: [4, 'getFloat32'], 7: [1, 'getUint8'], 10: [8, 'getBigUint64'], 11: [8, 'getBigInt64'], 12: [8, 'getFloat64']};
const wordType = 8, listType = 9;

/// One value of a GGUF header; of a list its length alone.
async function ggufValue(slices, type) {
  if (type === wordType) return slices.text();
  if (type === listType) {
    const kind = await slices.u32();
    const count = await slices.u64();
    if (count > mostEntries) throw new Error(`it claims a list of ${count} items`);
    if (kind === wordType) {
      for (let i = 0; i < count; ++i) {
        const length = await slices.u64();
        slices.at += length;
      }
    } else if (scalars[kind]) {
      slices.at += count * scalars[kind][0];
    } else {
      throw new Error('it holds a list of lists');
    }
    return {length: count};
  }
  if (!scalars[type]) throw new Error(`it holds a value of the unknown type ${type}`);
  const [size, read] = scalars[type];
  const value = (await slices.view(size))[read](0, true);
  return typeof value === 'bigint' ? Number(value) : value;
}

async function ggufHeader(file) {
  const slices = new Slices(file);
  slices.at = 4;
  const version = await slices.u32();
  if (version < 2 || version > 3) throw new Error(`it is GGUF of version ${version}, expected 2 or 3`);
  const tensors = await slices.u64();
  const keys = await slices.u64();
  if (tensors > mostEntries || keys > mostEntries) throw new Error(`it claims ${tensors} tensors and ${keys} keys`);
  const header = {};
  for (let i = 0; i < keys; ++i) {
    const key = await slices.text();
    header[key] = await ggufValue(slices, await slices.u32());
  }
  const list = [];
  for (let i = 0; i < tensors; ++i) {
    const name = await slices.text();
    const count = await slices.u32();
    if (count > 8) throw new Error(`it claims a tensor of ${count} dimensions`);
    const shape = [];
    for (let k = 0; k < count; ++k) shape.push(await slices.u64());
    const type = await slices.u32();
    await slices.u64();
    list.push([name, type, shape.reverse()]);
  }
  return {'gguf': header, 'tensors': list};
}

async function safetensorsHeader(file) {
  const slices = new Slices(file);
  const length = await slices.u64();
  if (length > largestHeader || length + 8 > file.size) throw new Error(`it claims a header of ${length} bytes`);
  const view = await slices.view(length);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset, length)));
  const list = Object.entries(header).filter(([name]) => name !== '__metadata__')
    .map(([name, tensor]) => [name, tensor.dtype, tensor.shape]);
  return {'safetensors': {}, 'tensors': list};
}

/// Layers repeat: one of each kind says all, and how often it stands.
function repeated({tensors, ...rest}) {
  const kinds = new Map();
  for (const [name, type, shape] of tensors) {
    const kind = name.replace(/\.\d+\./g, '.*.');
    const key = JSON.stringify([kind, type, shape]);
    const layer = Number((name.match(/\.(\d+)\./) ?? [0, -1])[1]);
    const known = kinds.get(key);
    if (known) { ++known.count; known.last = Math.max(known.last, layer); }
    else kinds.set(key, {name: kind, type, shape, count: 1, last: layer});
  }
  return {...rest, tensors: [...kinds.values()]};
}

/// {name, text} of a file. Throws in words what it is not.
export async function readDropped(file) {
  const start = new Uint8Array(await file.slice(0, 9).arrayBuffer());
  const begins = String.fromCharCode(...start);
  if (begins.startsWith('GGUF')) return {name: file.name, text: JSON.stringify(repeated(await ggufHeader(file)))};
  if (start.length === 9 && start[8] === 123 && start[7] === 0) {
    return {name: file.name, text: JSON.stringify(repeated(await safetensorsHeader(file)))};
  }
  if (begins.startsWith('PK') || start[0] === 128) {
    throw new Error('it is a pickle or an archive, which runs code when it is opened');
  }
  if (file.name.endsWith('.onnx')) throw new Error('it is an ONNX graph, which the program reads (--onnx FILE) and this page does not');
  if (file.size > largestText) throw new Error('it is larger than 1 MiB, expected a configuration');
  return {name: file.name, text: await file.text()};
}
