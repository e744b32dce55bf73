import { readTimeCursor, writeCursor } from './cursors.ts';

const id = '01890000-0000-7000-8000-000000000001';

test('a time cursor survives a round trip', () => {
  const end = { key: new Date().toISOString(), id };
  expect(readTimeCursor(writeCursor(end))).toEqual(end);
  expect(readTimeCursor('')).toBeUndefined();
});

test.each(['1', 'yesterday', '2026-13-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '+010000-01-01T00:00:00.000Z'])(
  'a cursor with the time %s is rejected before it reaches PostgreSQL',
  (key) =>
    expect(() => readTimeCursor(writeCursor({ key, id }))).toThrow(expect.objectContaining({ code: 'cursor_invalid' })),
);
