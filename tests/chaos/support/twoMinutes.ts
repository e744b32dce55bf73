import type { ChaosOptions } from './messageChaos.ts';

/** The form that `npm test faults` runs: calm, a storm, and calm again, in about two minutes. */
export const twoMinutes: Omit<ChaosOptions, 'seed' | 'say' | 'signal'> = {
  messages: Number.MAX_SAFE_INTEGER,
  minutes: 1,
  clients: 24,
  rate: 120,
  stormSeconds: 40,
  calmSeconds: 10,
  pace: { leastCalmMs: 300, mostCalmMs: 2_000 },
};
