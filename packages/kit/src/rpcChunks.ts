/*
 * Bytes that travel in streams. Their messages are, by our convention, `oneof part { Header header = 1; bytes chunk = 2; }`.
 * Generated code copies a chunk four times on its way out, into buffers of up to twice its size, and once more on its way
 * in: getting rid of those takes nearly half of what an upload costs. Here it is copied once, and then never.
 */

/** Field 2, which says how long it is. */
const chunkTag = 0x12;

export interface Codec {
  readonly serialize: (value: unknown) => Buffer;
  readonly deserialize: (bytes: Buffer) => unknown;
}

function chunkOf(value: unknown): Uint8Array | undefined {
  const part = (value as { part?: { $case?: unknown; value?: unknown } } | null | undefined)?.part;
  return part?.$case === 'chunk' && ArrayBuffer.isView(part.value) ? (part.value as Uint8Array) : undefined;
}

function encodeChunk(chunk: Uint8Array): Buffer {
  const header = [chunkTag];
  let rest = chunk.length;
  for (; rest > 0x7f; rest >>>= 7) header.push((rest & 0x7f) | 0x80);
  header.push(rest);
  const bytes = Buffer.allocUnsafe(header.length + chunk.length);
  bytes.set(header);
  bytes.set(chunk, header.length);
  return bytes;
}

/** The chunk, where the message is one and nothing besides. */
function decodeChunk(bytes: Buffer): Buffer | undefined {
  if (bytes[0] !== chunkTag) return undefined;
  let length = 0;
  // Four bytes are room for far more than a message may have.
  for (let at = 1; at <= 4; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    length |= (byte & 0x7f) << (7 * (at - 1));
    if (byte <= 0x7f) return length === bytes.length - at - 1 ? bytes.subarray(at + 1) : undefined;
  }
  return undefined;
}

/** Whether the messages are of that form: the generated code is asked itself. */
function holdsChunks({ deserialize }: Codec): boolean {
  try {
    return chunkOf(deserialize(encodeChunk(Uint8Array.of(7))))?.[0] === 7;
  } catch {
    return false;
  }
}

/** The same messages, their chunks copied less. Of messages that hold none nothing changes. */
export function withChunks(codec: Codec): Codec {
  if (!holdsChunks(codec)) return codec;
  return {
    serialize: (value) => {
      const chunk = chunkOf(value);
      return chunk ? encodeChunk(chunk) : codec.serialize(value);
    },
    deserialize: (bytes) => {
      const value = decodeChunk(bytes);
      return value ? { part: { $case: 'chunk', value } } : codec.deserialize(bytes);
    },
  };
}
