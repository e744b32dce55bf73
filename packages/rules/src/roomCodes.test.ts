import { newRoomCode, roomCodeAlphabet, roomCodeKindOf } from './roomCodes.ts';

test.each(['meeting', 'group'] as const)(
  '%s codes have six characters without lookalikes, and are of their kind',
  (kind) => {
    const codes = Array.from({ length: 500 }, () => newRoomCode(kind));
    for (const code of codes) {
      expect(code).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
      expect(roomCodeKindOf(code)).toBe(kind);
    }
    expect(roomCodeAlphabet).not.toMatch(/[01OIL]/);
    expect(new Set(codes.join(''))).toEqual(new Set(roomCodeAlphabet));
    expect(new Set(codes).size).toBeGreaterThan(490);
  },
);

test('draws until the code is of the right kind', () => {
  const drawn = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
  expect(newRoomCode('meeting', () => drawn.shift() ?? 0)).toBe('222222');
  const secondDraw = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
  expect(newRoomCode('group', () => secondDraw.shift() ?? 0)).toBe('222223');
});

test('recognizes the kind of a code, and what is not a code', () => {
  expect(roomCodeKindOf('222222')).toBe('meeting');
  expect(roomCodeKindOf('222223')).toBe('group');
  expect(roomCodeKindOf('222233')).toBe('meeting');
  for (const none of ['', '22222', '2222222', '22222O', '22222L', '222 22', '22222a']) {
    expect(roomCodeKindOf(none)).toBeUndefined();
  }
});
