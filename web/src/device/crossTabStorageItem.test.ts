import { createCrossTabStorageItem } from './crossTabStorageItem.ts';

function setUp() {
  const items = new Map<string, string>();
  let full = false;
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, value: string) {
      if (full) throw new Error('full');
      items.set(key, value);
    },
  };
  const parse = (stored: unknown): readonly string[] => (Array.isArray(stored) ? (stored as string[]) : []);
  const tab = () => createCrossTabStorageItem({ key: 'list', storage, parse });
  return { items, tab, fill: () => (full = true) };
}

test('items that two tabs add in turn are all there', () => {
  const { tab } = setUp();
  const [one, other] = [tab(), tab()];
  one.read();
  other.read();
  one.change((list) => [...list, 'a']);
  other.change((list) => [...list, 'b']);
  one.change((list) => [...list, 'c']);
  expect(other.read()).toEqual(['a', 'b', 'c']);
});

test('a full storage keeps the value for this page, and broken text is ignored', () => {
  const { tab, fill, items } = setUp();
  items.set('list', '{broken');
  const one = tab();
  expect(one.read()).toEqual([]);
  fill();
  one.change((list) => [...list, 'a']);
  expect(one.change((list) => [...list, 'b'])).toEqual(['a', 'b']);
});
