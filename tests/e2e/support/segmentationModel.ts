import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Field of a table: a number in place, or a part further on. */
type Field = number | WritableNode | undefined;
/** Writes itself at the end and returns its position, or its existing position in the file behind. */
type WritableNode = (out: Writer) => number | { behind: number };

/**
 * Writes a FlatBuffer from front to back. Offsets only point forward, so an existing file can stay unchanged behind the
 * new content.
 */
class Writer {
  #bytes = Buffer.alloc(65_536);
  readonly #behind: { at: number; target: number }[] = [];
  length = 0;

  align(to: number): number {
    this.length = Math.ceil(this.length / to) * to;
    return this.length;
  }

  u8(value: number): void {
    this.length = this.#bytes.writeUInt8(value, this.length);
  }

  u16(value: number): void {
    this.length = this.#bytes.writeUInt16LE(value, this.length);
  }

  u32(value: number, at = this.length): void {
    this.length = Math.max(this.length, this.#bytes.writeUInt32LE(value, at));
  }

  f32(value: number): void {
    this.length = this.#bytes.writeFloatLE(value, this.length);
  }

  raw(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Writes an offset that points to a part. */
  refer(at: number, node: WritableNode): void {
    const target = node(this);
    if (typeof target === 'number') this.u32(target - at, at);
    else this.#behind.push({ at, target: target.behind });
  }

  /** Returns everything, in front of a file to whose parts it may point. */
  before(file: Uint8Array = new Uint8Array()): Buffer {
    const begin = this.align(16);
    for (const { at, target } of this.#behind) this.u32(begin + target - at, at);
    return Buffer.concat([this.#bytes.subarray(0, begin), file]);
  }
}

/** Builds a table. Numbers take one byte, or four if `wide` lists them. */
function table(fields: readonly Field[], wide: readonly number[] = []): WritableNode {
  return (out) => {
    const inPlace = fields.map((field, index) => ({ field, index })).filter(({ field }) => field !== undefined);
    const shape = out.align(2);
    out.u16(4 + 2 * fields.length);
    out.u16(4 + 4 * inPlace.length);
    for (const index of fields.keys()) out.u16(4 * (inPlace.findIndex((one) => one.index === index) + 1));
    const start = out.align(4);
    out.u32(start - shape);
    for (const { field, index } of inPlace) {
      if (typeof field === 'number' && !wide.includes(index)) out.u8(field);
      else out.u32(typeof field === 'number' ? field : 0);
      out.align(4);
    }
    for (const [place, { field }] of inPlace.entries()) {
      if (typeof field === 'function') out.refer(start + 4 * (place + 1), field);
    }
    return start;
  };
}

function list(nodes: readonly WritableNode[]): WritableNode {
  return (out) => {
    const start = out.align(4);
    out.u32(nodes.length);
    for (const _ of nodes) out.u32(0);
    for (const [index, node] of nodes.entries()) out.refer(start + 4 * (index + 1), node);
    return start;
  };
}

const text =
  (value: string): WritableNode =>
  (out) => {
    const start = out.align(4);
    out.u32(Buffer.byteLength(value));
    out.raw(Buffer.from(`${value}\0`));
    return start;
  };

const floats =
  (values: readonly number[]): WritableNode =>
  (out) => {
    const start = out.align(4);
    out.u32(values.length);
    for (const value of values) out.f32(value);
    return start;
  };

/** Bytes that start at a multiple of 16, as TensorFlow Lite requires of its buffers. */
const alignedBytes =
  (bytes: Uint8Array): WritableNode =>
  (out) => {
    while (out.align(4) % 16 !== 12) out.u32(0);
    const start = out.length;
    out.u32(bytes.length);
    out.raw(bytes);
    return start;
  };

/**
 * Builds metadata of a model that takes pictures with channels from 0 to 1 (255 of the camera's) and returns, for each
 * pixel, the confidence that it is a person.
 */
function segmenterMetadata(): Buffer {
  const colours = table([2, table([1])]);
  const normal = table([1, table([floats([0]), floats([255])])]);
  const input = table([text('image'), undefined, undefined, colours, list([normal])]);
  const output = table([text('mask')]);
  const subgraph = table([undefined, undefined, list([input]), list([output])]);
  const out = new Writer();
  out.u32(0);
  out.raw(Buffer.from('M001'));
  out.refer(0, table([text('segmenter'), undefined, undefined, list([subgraph])]));
  return out.before();
}

/**
 * Adds the metadata without which MediaPipe's tasks reject a TensorFlow Lite model: a new header before the file, whose
 * lists name the file's content and one more buffer.
 */
function addSegmentationMetadata(model: Buffer): Buffer {
  const root = model.readUInt32LE(0);
  const shape = root - model.readInt32LE(root);
  const placeOf = (index: number) => {
    const offset = 4 + 2 * index < model.readUInt16LE(shape) ? model.readUInt16LE(shape + 4 + 2 * index) : 0;
    return offset === 0 ? undefined : root + offset;
  };
  const follow = (at: number) => at + model.readUInt32LE(at);
  const inFile =
    (behind: number): WritableNode =>
    () => ({ behind });
  const kept = (index: number) => {
    const place = placeOf(index);
    return place === undefined ? undefined : inFile(follow(place));
  };
  const entries = (index: number) => {
    const place = placeOf(index);
    if (place === undefined) return [];
    const start = follow(place);
    return Array.from({ length: model.readUInt32LE(start) }, (_, entry) => inFile(follow(start + 4 + 4 * entry)));
  };
  const buffers = entries(4);
  const named = table([text('TFLITE_METADATA'), buffers.length], [1]);
  const head = new Writer();
  head.u32(0);
  head.raw(Buffer.from('TFL3'));
  head.refer(
    0,
    table(
      [
        model.readUInt32LE(placeOf(0) ?? 0),
        kept(1),
        kept(2),
        kept(3),
        list([...buffers, table([alignedBytes(segmenterMetadata())])]),
        kept(5),
        list([...entries(6), named]),
        kept(7),
      ],
      [0],
    ),
  );
  return head.before(model);
}

/** Converts the model of Google's older package for the newer one. */
export function createSegmentationModel(): Buffer {
  const path = createRequire(import.meta.url).resolve('@mediapipe/selfie_segmentation/selfie_segmentation.tflite');
  return addSegmentationMetadata(readFileSync(path));
}
