import { createDraftStore } from './drafts.ts';
import { eraseDrafts, oldDraftsKey } from './draftKeys.ts';

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
  place.setItem(oldDraftsKey, JSON.stringify({ owner: 'me', drafts: { c1: 'older', c2: 'kept' } }));
  expect(createDraftStore('me', place).getState().drafts).toEqual({ c1: 'newer', c2: 'kept' });
  expect(place.items.has(oldDraftsKey)).toBe(false);
});

test('a different account sees no drafts and finds them erased', () => {
  const place = storage();
  createDraftStore('me', place).set('c1', 'private');
  place.setItem(oldDraftsKey, JSON.stringify({ owner: 'me', drafts: { c2: 'private' } }));
  expect(createDraftStore('you', place).getState().drafts).toEqual({});
  expect(place.items.size).toBe(0);
});

test('invalid stored drafts do no harm', () => {
  const place = storage();
  place.setItem(oldDraftsKey, '{broken');
  place.setItem('nolo.theme', 'dark');
  const drafts = createDraftStore('me', place);
  expect(drafts.getState().drafts).toEqual({});
  drafts.set('c1', 'text');
  eraseDrafts(place);
  expect([...place.items.keys()]).toEqual(['nolo.theme']);
});

test('drafts are not stored once the person has left', () => {
  const place = storage();
  createDraftStore('me', place, () => false).set('c1', 'text');
  expect(place.items.size).toBe(0);
});
