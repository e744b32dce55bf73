import { Registry } from 'prom-client';
import { createAppError } from '../errors.ts';
import { createLastKnownValues, type LastKnownOptions } from './lastKnown.ts';
import { createLog } from '../telemetry/log.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const log = createLog({ service: 'test', level: 'silent' });

/** Simulates a deciding service, and counts its queries. */
function decider(more: Partial<LastKnownOptions<string>> = {}) {
  let time = Date.UTC(2026, 10, 23);
  const state = { answer: 'free', away: false, asked: 0 };
  const load = async () => {
    state.asked += 1;
    const { answer } = state;
    await Promise.resolve();
    if (state.away) throw createAppError('unavailable', 'service_unavailable', 'away');
    return answer;
  };
  const options = { name: 'plans', load, clock: { now: () => new Date(time) }, log, ...more };
  return {
    state,
    options,
    known: createLastKnownValues(options),
    pass: (ms: number) => void (time += ms),
  };
}

function sharedCopies() {
  const kept = new Map<string, string>();
  return {
    read: (key: string) => Promise.resolve(kept.get(key) ?? null),
    write: (key: string, text: string) => Promise.resolve(void kept.set(key, text)),
  };
}

test('an answer is fetched once every few minutes, however many callers want it', async () => {
  const { known, state, pass } = decider();
  await expect(Promise.all(Array.from({ length: 20 }, () => known.of('ann')))).resolves.toEqual(
    Array.from({ length: 20 }, () => 'free'),
  );
  expect(state.asked).toBe(1);
  pass(4 * minute);
  await known.of('ann');
  expect(state.asked).toBe(1);
  state.answer = 'plus';
  pass(2 * minute);
  await expect(known.of('ann')).resolves.toBe('plus');
  expect(state.asked).toBe(2);
});

test('an answer that expires early is refetched then, and kept until a new one arrives', async () => {
  let end = 0;
  const { known, options, state, pass } = decider({ endsAt: () => end });
  end = options.clock.now().getTime() + minute;
  await known.of('ann');
  pass(minute);
  state.away = true;
  await expect(known.of('ann')).resolves.toBe('free');
  state.away = false;
  state.answer = 'plus';
  pass(6_000);
  await expect(known.of('ann')).resolves.toBe('plus');
});

test('an outdated answer is refetched on the next request, for that person only', async () => {
  const { known, state } = decider();
  await Promise.all([known.of('ann'), known.of('ben')]);
  state.answer = 'plus';
  known.outdate('ann');
  await expect(known.of('ann')).resolves.toBe('plus');
  await expect(known.of('ben')).resolves.toBe('free');
  known.outdateAll();
  await expect(known.of('ben')).resolves.toBe('plus');
});

test('an answer that became outdated in flight is refetched', async () => {
  const { known, state } = decider();
  const before = known.of('ann');
  known.outdate('ann');
  state.answer = 'plus';
  await expect(known.of('ann')).resolves.toBe('plus');
  await expect(before).resolves.toBe('free');
  await expect(known.of('ann')).resolves.toBe('plus');
});

test('an answer that became outdated in flight is used if no newer one is available', async () => {
  const { known, state } = decider();
  await known.of('ann');
  state.answer = 'plus';
  known.outdate('ann');
  const asked = known.of('ann');
  known.outdate('ann');
  await expect(asked).resolves.toBe('plus');
  state.away = true;
  await expect(known.of('ann')).resolves.toBe('plus');
});

test('the last answer is used for a day of outage, and callers do not wait for each failure', async () => {
  const { known, state, pass } = decider();
  state.answer = 'business';
  await known.of('ann');
  state.away = true;
  known.outdate('ann');
  await expect(known.of('ann')).resolves.toBe('business');
  const { asked } = state;
  await known.of('ann');
  expect(state.asked).toBe(asked);
  pass(day - minute);
  await expect(known.of('ann')).resolves.toBe('business');
  pass(2 * minute);
  await expect(known.of('ann')).resolves.toBeUndefined();
});

test('a person never seen before is unknown during an outage and known afterwards', async () => {
  const { known, state, pass } = decider();
  state.away = true;
  await expect(known.of('ann')).resolves.toBeUndefined();
  state.away = false;
  pass(6_000);
  await expect(known.of('ann')).resolves.toBe('free');
});

test('a process that starts during an outage uses another process’s copy until it can fetch', async () => {
  const copies = sharedCopies();
  const { known, options, state, pass } = decider({ copies });
  state.answer = 'plus';
  await known.of('ann');
  state.away = true;
  const started = createLastKnownValues(options);
  await expect(started.of('ann')).resolves.toBe('plus');
  await expect(started.of('ben')).resolves.toBeUndefined();
  state.away = false;
  state.answer = 'business';
  pass(6_000);
  await expect(started.of('ann')).resolves.toBe('business');
});

test('an unreadable or unwritable copy does no other harm', async () => {
  const broken = () => Promise.reject(new Error('no store'));
  const { known, state } = decider({ copies: { read: broken, write: broken } });
  await expect(known.of('ann')).resolves.toBe('free');
  state.away = true;
  await expect(known.of('ben')).resolves.toBeUndefined();
  const nonsense = decider({ copies: { read: () => Promise.resolve('[nonsense'), write: broken } });
  nonsense.state.away = true;
  await expect(nonsense.known.of('ann')).resolves.toBeUndefined();
});

test('the number of cached answers is bounded', async () => {
  const { known, state } = decider({ maxKeys: 2 });
  for (const who of ['ann', 'ben', 'cat']) await known.of(who);
  await known.of('cat');
  expect(state.asked).toBe(3);
  await known.of('ann');
  expect(state.asked).toBe(4);
});

test('metrics show where answers come from', async () => {
  const metrics = new Registry();
  const { known } = decider({ metrics });
  await known.of('ann');
  await known.of('ann');
  const shown = await metrics.metrics();
  expect(shown).toContain('nolo_last_known_answers_total{what="plans",source="asked"} 1');
  expect(shown).toContain('nolo_last_known_answers_total{what="plans",source="memory"} 1');
});
