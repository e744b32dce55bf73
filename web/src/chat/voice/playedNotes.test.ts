import { playedNotesKey } from '../../session/ownKeys.ts';
import { createPlayedNotes } from './playedNotes.ts';

function fakeStorage(initial: Record<string, string> = {}) {
  const kept = new Map(Object.entries(initial));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

test('what was played is known on the next visit, to the same person', () => {
  const storage = fakeStorage();
  createPlayedNotes('ada', storage).mark('m1');
  expect(createPlayedNotes('ada', storage).getState().played.has('m1')).toBe(true);
  expect(createPlayedNotes('ben', storage).getState().played.size).toBe(0);
});

test('only so many marks are kept, the latest', () => {
  const notes = createPlayedNotes('ada', fakeStorage());
  for (let n = 0; n < 1_005; n++) notes.mark(`m${n}`);
  const { played } = notes.getState();
  expect(played.size).toBe(1_000);
  expect([played.has('m4'), played.has('m5')]).toEqual([false, true]);
});

test('what is no list of marks is none', () => {
  expect(
    createPlayedNotes('ada', fakeStorage({ [playedNotesKey]: '{"owner":"ada","ids":[1' })).getState().played.size,
  ).toBe(0);
});
