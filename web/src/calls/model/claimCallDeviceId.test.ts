import { claimCallDeviceId } from './claimCallDeviceId.ts';

function tab(kept: string | null = null) {
  const listeners = new Map<string, () => void>();
  const values = new Map<string, string>(kept === null ? [] : [['nolo.callDevice', kept]]);
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
  let number = 0;
  const page = { addEventListener: (type: string, listener: () => void) => void listeners.set(type, listener) };
  const id = claimCallDeviceId(storage, page, () => `new-${++number}`);
  return { id, values, leave: () => listeners.get('pagehide')?.(), comeBack: () => listeners.get('pageshow')?.() };
}

test('a reload is the same device', () => {
  const before = tab();
  before.leave();
  expect(tab(before.values.get('nolo.callDevice') ?? null).id).toBe(before.id);
});

test('a duplicated tab that copies the storage of the original is another device', () => {
  const first = tab('kept');
  expect(first.values.size).toBe(0);
  first.leave();
  first.comeBack();
  expect(first.values.size).toBe(0);
});
