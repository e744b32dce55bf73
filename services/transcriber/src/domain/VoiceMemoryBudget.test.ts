import type { UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { VoiceMemoryBudget } from './VoiceMemoryBudget.ts';

const person = (number: number) => `a0000000-0000-4000-8000-00000000000${number}` as UserId;
const chunk = 2 ** 20;

test('large voice notes of some people leave capacity for small ones of others', () => {
  const room = new VoiceMemoryBudget();
  const taken = [1, 2, 3, 4, 5, 6].map((number) => {
    let bytes = 0;
    try {
      for (; bytes < 3 * limits.transcriptionAudioBytes; bytes += chunk) room.take(person(number), chunk);
    } catch {
      // The room has no capacity for more of theirs.
    }
    return bytes;
  });
  expect(taken[0]).toBeGreaterThanOrEqual(limits.transcriptionAudioBytes);
  for (let count = 0; count < 3; count += 1) room.take(person(7), chunk);
  expect(() => room.take(person(7), 4 * chunk)).toThrow(expect.objectContaining({ code: 'transcription_busy' }));
  for (const [index, bytes] of taken.entries()) room.giveBack(person(index + 1), bytes);
  room.take(person(7), 20 * chunk);
});

test('the total capacity is limited', () => {
  const room = new VoiceMemoryBudget();
  const people = Array.from({ length: 60 }, (_, index) => `person ${index}` as UserId);
  const fill = () => people.forEach((one) => room.take(one, 4 * chunk));
  expect(fill).toThrow(expect.objectContaining({ code: 'transcription_busy' }));
});
