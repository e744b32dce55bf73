import { createDraftStore } from './drafts.ts';
import { draftStorageKey, eraseDrafts } from '../../session/ownKeys.ts';

function storage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

test('drafts outlive the page, and blank ones leave nothing', () => {
  const place = storage();
  const first = createDraftStore('me', place);
  first.set('c1', 'half a thought');
  first.set('c2', '  ');
  expect(createDraftStore('me', place).getState().drafts).toEqual({ c1: 'half a thought' });
  first.set('c1', '');
  expect(place.items.size).toBe(0);
});

test('another account sees none and finds them erased', () => {
  const place = storage();
  createDraftStore('me', place).set('c1', 'private');
  expect(createDraftStore('you', place).getState().drafts).toEqual({});
  expect(place.items.has(draftStorageKey)).toBe(false);
});

test('what is no draft of ours does no harm', () => {
  const place = storage();
  place.setItem(draftStorageKey, '{broken');
  expect(createDraftStore('me', place).getState().drafts).toEqual({});
  eraseDrafts(place);
  expect(place.items.size).toBe(0);
});
