import { playedVoiceNotesKey } from '../../session/ownKeys.ts';
import { createPlayedVoiceNotes } from './playedVoiceNotes.ts';

function fakeStorage(initial: Record<string, string> = {}) {
  const kept = new Map(Object.entries(initial));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

test('played notes are remembered after a reload, for the same person', () => {
  const storage = fakeStorage();
  createPlayedVoiceNotes('ada', storage).markPlayed('m1');
  expect(createPlayedVoiceNotes('ada', storage).getState().played.has('m1')).toBe(true);
  expect(createPlayedVoiceNotes('ben', storage).getState().played.size).toBe(0);
});

test('only the latest marks are stored, up to a limit', () => {
  const playedVoiceNotes = createPlayedVoiceNotes('ada', fakeStorage());
  for (let n = 0; n < 1_005; n++) playedVoiceNotes.markPlayed(`m${n}`);
  const { played } = playedVoiceNotes.getState();
  expect(played.size).toBe(1_000);
  expect([played.has('m4'), played.has('m5')]).toEqual([false, true]);
});

test('an invalid list of marks is ignored', () => {
  expect(
    createPlayedVoiceNotes('ada', fakeStorage({ [playedVoiceNotesKey]: '{"owner":"ada","ids":[1' })).getState().played
      .size,
  ).toBe(0);
});
