import type { MessageChaosOptions } from './messageChaos.ts';

/** Settings of `npm run chaos -- prove`: calm, a storm, and calm again, in about two minutes. */
export const twoMinuteChaosOptions: Omit<MessageChaosOptions, 'seed' | 'printLine' | 'signal'> = {
  messages: Number.MAX_SAFE_INTEGER,
  minutes: 1,
  clients: 24,
  sealed: 4,
  rate: 120,
  stormSeconds: 40,
  calmSeconds: 10,
  pace: { minCalmMs: 300, maxCalmMs: 2_000 },
};

/**
 * Settings of `npm test faults`, in half of the time. Watches as many changes in calm as the two-minute form, because
 * that catches a relay that loses one live message in a hundred.
 */
export const oneMinuteChaosOptions: typeof twoMinuteChaosOptions = {
  ...twoMinuteChaosOptions,
  clients: 16,
  sealed: 3,
  rate: 80,
  calmChanges: 160,
  stormSeconds: 18,
};
