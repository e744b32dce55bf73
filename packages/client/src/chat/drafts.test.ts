import { createStoreKey } from '@nolo/e2ee';
import { eventually } from '@nolo/testing';
import { createContent } from '../content/content.ts';
import { createDeviceCodec } from '../content/deviceCodec.ts';
import { createDraftStore } from './drafts.ts';
import { eraseDrafts, oldDraftKeyPrefix } from './draftKeys.ts';

function storage() {
  const items = new Map<string, string>();
  return {
    items,
    get length() {
      return items.size;
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

test('drafts survive a reload, and blank ones leave nothing', () => {
  const place = storage();
  const first = createDraftStore('me', place);
  first.set('c1', 'half a thought');
  first.set('c2', '  ');
  expect(createDraftStore('me', place).getState().drafts).toEqual({ c1: 'half a thought' });
  first.set('c1', '');
  expect(place.items.size).toBe(0);
});

test('drafts are sealed for the device, at once if they were prepared, and moved before the old ones go', async () => {
  const place = storage();
  const key = await createStoreKey();
  const content = createContent(createDeviceCodec(async () => key));
  place.setItem(`${oldDraftKeyPrefix}me.c2`, 'an old thought');
  const first = createDraftStore('me', place, () => true, content);
  expect(place.items.has(`${oldDraftKeyPrefix}me.c2`)).toBe(true);
  await eventually(() => first.getState().drafts['c2'] === 'an old thought');
  for (const [id, text] of [
    ['c1', 'half a thought'],
    ['c3', 'last words'],
  ] as const) {
    await first.prepare(id, text);
    first.set(id, text);
  }
  expect(place.items.size).toBe(3);
  expect([...place.items.values()].join()).not.toMatch(/thought|words/);
  const second = createDraftStore('me', place, () => true, content);
  await eventually(() => second.getState().drafts['c3'] === 'last words');
  expect(second.getState().drafts).toEqual({ c1: 'half a thought', c2: 'an old thought', c3: 'last words' });
  // Other keys open none of them.
  place.setItem(place.key(0)!.replace(/[^.]+$/, 'c4'), 'stored by a previous release');
  const other = createDraftStore('me', place, () => true, createContent(createDeviceCodec(createStoreKey)));
  await eventually(() => other.getState().drafts['c4'] !== undefined);
  expect(other.getState().drafts).toEqual({ c4: 'stored by a previous release' });
});

test('two tabs leave each other’s drafts alone', () => {
  const place = storage();
  const one = createDraftStore('me', place);
  const other = createDraftStore('me', place);
  one.set('c1', 'written in the first tab');
  other.set('c2', 'written in the second tab');
  one.set('c3', 'a third');
  one.set('c3', '');
  const both = { c1: 'written in the first tab', c2: 'written in the second tab' };
  expect(createDraftStore('me', place).getState().drafts).toEqual(both);
});

test('changes by another tab show here', () => {
  const place = storage();
  const one = createDraftStore('me', place);
  const other = createDraftStore('me', place);
  one.set('c1', 'hello');
  const [key] = place.items.keys();
  other.refresh(key ?? null);
  expect(other.getState().drafts).toEqual({ c1: 'hello' });
  one.set('c1', '');
  other.refresh(key ?? null);
  expect(other.getState().drafts).toEqual({});
  // The drafts ignore other storage keys. A null key means that everything was cleared.
  const before = other.getState();
  other.refresh('nolo.theme');
  expect(other.getState()).toBe(before);
  one.set('c1', 'again');
  other.refresh(null);
  expect(other.getState().drafts).toEqual({ c1: 'again' });
});

test('drafts in the old format are moved to the new one, once, and never over newer ones', () => {
  const place = storage();
  createDraftStore('me', place).set('c1', 'newer');
  place.setItem(`${oldDraftKeyPrefix}me.c1`, 'older');
  place.setItem(`${oldDraftKeyPrefix}me.c2`, 'kept');
  expect(createDraftStore('me', place).getState().drafts).toEqual({ c1: 'newer', c2: 'kept' });
  expect([...place.items.keys()].filter((key) => key.startsWith(oldDraftKeyPrefix))).toEqual([]);
});

test('a different account sees no drafts and finds them erased', () => {
  const place = storage();
  createDraftStore('me', place).set('c1', 'private');
  place.setItem(`${oldDraftKeyPrefix}me.c2`, 'private');
  expect(createDraftStore('you', place).getState().drafts).toEqual({});
  expect(place.items.size).toBe(0);
});

test('erasing removes the drafts of this and of previous releases, and nothing else', () => {
  const place = storage();
  place.setItem('nolo.theme', 'dark');
  place.setItem(`${oldDraftKeyPrefix}you.c2`, 'old');
  createDraftStore('me', place).set('c1', 'text');
  eraseDrafts(place);
  expect([...place.items.keys()]).toEqual(['nolo.theme']);
});

test('drafts are not stored once the person has left', () => {
  const place = storage();
  createDraftStore('me', place, () => false).set('c1', 'text');
  expect(place.items.size).toBe(0);
});
