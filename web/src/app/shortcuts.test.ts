import { createShortcutReader, sequenceTimeoutMs } from './shortcuts.ts';

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

test('single keys', () => {
  const read = createShortcutReader(() => 0);
  expect(read(press('?'))).toEqual({ kind: 'sheet' });
  expect(read(press('/'))).toEqual({ kind: 'search' });
  expect(read(press('/', { ctrlKey: true }))).toBeUndefined();
  expect(read(press('2'))).toBeUndefined();
});

test('g and then a digit, within a little over a second', () => {
  let now = 0;
  const read = createShortcutReader(() => now);
  expect(read(press('g'))).toBeUndefined();
  expect(read(press('2'))).toEqual({ kind: 'section', index: 1 });
  expect(read(press('2'))).toBeUndefined();
  read(press('g'));
  now += sequenceTimeoutMs + 1;
  expect(read(press('2'))).toBeUndefined();
});
