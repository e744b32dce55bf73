import { createShortcutReader, sequenceTimeoutMs } from './shortcuts.ts';

const press = (
  key: string,
  modifiers: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
});

test('single keys open the sheet and the search', () => {
  const read = createShortcutReader(() => 0);
  expect(read(press('?'), false)).toEqual({ kind: 'sheet' });
  expect(read(press('/'), false)).toEqual({ kind: 'search' });
  expect(read(press('/', { ctrlKey: true }), false)).toBeUndefined();
  expect(read(press('2'), false)).toBeUndefined();
});

test('a digit shortly after g opens a section', () => {
  let now = 0;
  const read = createShortcutReader(() => now);
  expect(read(press('g'), false)).toBeUndefined();
  expect(read(press('2'), false)).toEqual({ kind: 'section', index: 1 });
  expect(read(press('2'), false)).toBeUndefined();
  read(press('g'), false);
  now += sequenceTimeoutMs + 1;
  expect(read(press('2'), false)).toBeUndefined();
});

test('the palette and the adjacent chats are one shortcut away, also while typing', () => {
  const read = createShortcutReader(() => 0);
  for (const typing of [true, false]) {
    expect(read(press('k', { ctrlKey: true }), typing)).toEqual({ kind: 'palette' });
    expect(read(press('K', { metaKey: true }), typing)).toEqual({ kind: 'palette' });
    expect(read(press('k', { ctrlKey: true, shiftKey: true }), typing)).toBeUndefined();
    expect(read(press('ArrowDown', { altKey: true }), typing)).toEqual({ kind: 'chat', step: 1, unread: false });
    expect(read(press('ArrowUp', { altKey: true, shiftKey: true }), typing)).toEqual({
      kind: 'chat',
      step: -1,
      unread: true,
    });
    expect(read(press('ArrowUp', { altKey: true, ctrlKey: true }), typing)).toBeUndefined();
  }
  expect(read(press('?'), true)).toBeUndefined();
});
