import { setImmediate } from 'node:timers/promises';
import { createVoiceQueue } from './voiceQueue.ts';

test('long voice notes of six people do not keep out someone with a short one', async () => {
  const queue = createVoiceQueue(2);
  const stopped = new AbortController();
  const outcomes: string[] = [];
  const add = (key: string, cost: number, work: () => Promise<void>) =>
    queue.take(work, { key, cost, signal: stopped.signal }).then(
      () => outcomes.push(`${key} heard`),
      (error: { code?: string }) => outcomes.push(`${key} ${error.code ?? 'stopped'}`),
    );
  const endless = () =>
    new Promise<void>((_, reject) =>
      stopped.signal.addEventListener('abort', () => reject(stopped.signal.reason as Error)),
    );
  const long = [1, 2, 3, 4, 5, 6].flatMap((person) => [
    add(`p${person}`, 600, endless),
    add(`p${person}`, 600, endless),
  ]);
  await setImmediate();
  await add('ann', 12, () => Promise.resolve());
  await add('ben', 8, () => Promise.resolve());
  expect(outcomes.slice(-2)).toEqual(['ann heard', 'ben heard']);
  stopped.abort();
  await Promise.all(long);
});
