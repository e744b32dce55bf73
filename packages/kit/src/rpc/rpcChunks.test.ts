import { ReadObjectReply } from '@nolo/proto/files';
import { StoreFileRequest, WriteBytesRequest } from '@nolo/proto/sharedFiles';
import { withFastChunks, type RpcCodec } from './rpcChunks.ts';

interface Generated<Message> {
  encode(message: Message): { finish(): Uint8Array };
  decode(bytes: Uint8Array): Message;
}
const codecOf = <Message>({ encode, decode }: Generated<Message>): RpcCodec => ({
  serialize: (value) => Buffer.from(encode(value as Message).finish()),
  deserialize: decode,
});
const chunk = (size: number) => ({ part: { $case: 'chunk', value: Buffer.alloc(size, 'x') } });

interface Chunk {
  part: { $case: string; value: Uint8Array };
}
/** Jest compares byte by byte, which takes most of a minute for millions of bytes. */
function expectChunk(read: unknown, size: number): void {
  const { $case, value } = (read as Chunk).part;
  expect([$case, value.length]).toEqual(['chunk', size]);
  expect(chunk(size).part.value.equals(value)).toBe(true);
}

test.each([
  ['WriteBytesRequest', codecOf(WriteBytesRequest)],
  ['StoreFileRequest', codecOf(StoreFileRequest)],
  ['ReadObjectReply', codecOf(ReadObjectReply)],
])('chunks of %s are written and read like the generated code does', (_, generated) => {
  const ours = withFastChunks(generated);
  expect(ours).not.toBe(generated);
  for (const size of [0, 1, 127, 128, 16_383, 16_384, 262_144, 3_000_000]) {
    const message = chunk(size);
    const bytes = ours.serialize(message);
    expect(bytes.equals(generated.serialize(message))).toBe(true);
    expectChunk(ours.deserialize(bytes), size);
  }
});

test('anything but a plain chunk is left to the generated code', () => {
  const generated = codecOf(WriteBytesRequest);
  const ours = withFastChunks(generated);
  const header = { fileId: 'a', partNumber: 3, expiresAt: new Date(5), signature: 's', size: 12 };
  const message = { part: { $case: 'header', value: header } };
  expect(ours.deserialize(ours.serialize(message))).toEqual(message);
  expect(ours.deserialize(Buffer.alloc(0))).toEqual({ part: undefined });
  // The last occurrence of a field wins, and unknown fields are ignored.
  const twice = Buffer.concat([ours.serialize(chunk(1)), ours.serialize(chunk(2))]);
  expect(ours.deserialize(twice)).toEqual(chunk(2));
  const more = Buffer.concat([ours.serialize(chunk(2)), Buffer.of(0x38, 1)]);
  expect(ours.deserialize(more)).toEqual(chunk(2));
  for (const broken of [[0x12], [0x12, 5, 1], [0x12, 0xff, 0xff, 0xff, 0xff, 1]]) {
    expect(() => ours.deserialize(Buffer.from(broken))).toThrow();
  }
});

test('messages of another shape stay unchanged', () => {
  const json: RpcCodec = {
    serialize: (value) => Buffer.from(JSON.stringify(value)),
    deserialize: (bytes) => JSON.parse(String(bytes)) as unknown,
  };
  expect(withFastChunks(json)).toBe(json);
});
