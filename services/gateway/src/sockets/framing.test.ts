import { frameText, pingFrame } from './framing.ts';

it.each([10, 1_000, 70_000])('frames text of about %i bytes as RFC 6455 wants it', (length) => {
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
