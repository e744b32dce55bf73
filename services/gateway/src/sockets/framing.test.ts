import { Writable } from 'node:stream';
import type { Connection } from './Connection.ts';
import { frameText, pingFrame, writeFramed } from './framing.ts';

it.each([10, 1_000, 70_000])('frames text of about %i bytes according to RFC 6455', (length) => {
  const { wire, text } = frameText('new_message', { content: 'é'.repeat(length / 2) });
  expect(wire[0]).toBe(0x81);
  expect(JSON.parse(text.toString())).toMatchObject({ type: 'new_message' });
  const short = wire[1] ?? 0;
  const [size, header] =
    short < 126 ? [short, 2] : short === 126 ? [wire.readUInt16BE(2), 4] : [Number(wire.readBigUInt64BE(2)), 10];
  expect([size, header]).toEqual([text.length, wire.length - text.length]);
});

it('has an empty ping', () => {
  expect([...pingFrame]).toEqual([0x89, 0]);
});

/** Creates a socket that records each write to the system. */
function recordedConnection() {
  const calls: Buffer[] = [];
  const socket = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      calls.push(chunk);
      done();
    },
    writev: (chunks: { chunk: Buffer }[], done) => {
      calls.push(Buffer.concat(chunks.map(({ chunk }) => chunk)));
      done();
    },
  });
  const sender = { _state: 0, _queue: [], _firstFragment: true };
  return { calls, connection: { readyState: 1, OPEN: 1, _socket: socket, _sender: sender } as unknown as Connection };
}

it('writes all data for a socket within one tick at once, in order', async () => {
  const [one, other] = [recordedConnection(), recordedConnection()];
  const frames = ['a', 'b', 'c'].map((name) => frameText('new_message', name));
  for (const framed of frames) writeFramed(one.connection, framed);
  writeFramed(other.connection, frames[0]!);
  expect(one.calls).toEqual([]);
  await new Promise(setImmediate);
  expect(one.calls).toEqual([Buffer.concat(frames.map(({ wire }) => wire))]);
  expect(other.calls).toEqual([frames[0]!.wire]);
  writeFramed(one.connection, frames[1]!);
  await new Promise(setImmediate);
  expect(one.calls.at(-1)).toEqual(frames[1]!.wire);
});
