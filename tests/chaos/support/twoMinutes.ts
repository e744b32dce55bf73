import type { ChaosOptions } from './messageChaos.ts';

/** The form that `npm run chaos -- prove` breaks things under: calm, a storm, and calm again, in about two minutes. */
export const twoMinutes: Omit<ChaosOptions, 'seed' | 'say' | 'signal'> = {
  messages: Number.MAX_SAFE_INTEGER,
  minutes: 1,
  clients: 24,
  rate: 120,
  stormSeconds: 40,
  calmSeconds: 10,
  pace: { leastCalmMs: 300, mostCalmMs: 2_000 },
};

/**
 * The form that `npm test faults` runs, in half of the time. What is watched in calm is as much as before, for by that a
 * relay is caught that loses one live message in a hundred.
 */
export const oneMinute: typeof twoMinutes = {
  ...twoMinutes,
  clients: 16,
  rate: 80,
  calmChanges: 160,
  stormSeconds: 18,
};
