import { playedVoiceNotesKey } from '../../session/ownKeys.ts';
import { createPlayedVoiceNotes } from './playedVoiceNotes.ts';

function fakeStorage(initial: Record<string, string> = {}) {
  const kept = new Map(Object.entries(initial));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

test('what was played is known on the next visit, to the same person', () => {
  const storage = fakeStorage();
  createPlayedVoiceNotes('ada', storage).markPlayed('m1');
  expect(createPlayedVoiceNotes('ada', storage).getState().played.has('m1')).toBe(true);
  expect(createPlayedVoiceNotes('ben', storage).getState().played.size).toBe(0);
});

test('only so many marks are kept, the latest', () => {
  const playedVoiceNotes = createPlayedVoiceNotes('ada', fakeStorage());
  for (let n = 0; n < 1_005; n++) playedVoiceNotes.markPlayed(`m${n}`);
  const { played } = playedVoiceNotes.getState();
  expect(played.size).toBe(1_000);
  expect([played.has('m4'), played.has('m5')]).toEqual([false, true]);
});

test('what is no list of marks is none', () => {
  expect(
    createPlayedVoiceNotes('ada', fakeStorage({ [playedVoiceNotesKey]: '{"owner":"ada","ids":[1' })).getState().played
      .size,
  ).toBe(0);
});
