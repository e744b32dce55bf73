import { createFaultSchedule, type FaultStep } from '../chaos/support/schedule.ts';

const pace = { minCalmMs: 100, maxCalmMs: 200 };

function take(seed: number, count: number): FaultStep[] {
  return [...createFaultSchedule(seed, pace).take(count)];
}

it('is the same for the same seed, and different for another', () => {
  expect(take(7, 50)).toEqual(take(7, 50));
  expect(take(7, 50)).not.toEqual(take(8, 50));
});

it('covers everything that can break', () => {
  const kinds = new Set(take(1, 80).flatMap(({ faults }) => faults.map(({ kind, target }) => `${kind} ${target}`)));
  // Nine processes to kill, one store to empty, and five connections with four faults each.
  expect(kinds.size).toBe(9 + 1 + 5 * 4);
});

it('breaks nothing in two ways at once', () => {
  for (const { faults } of take(3, 200)) expect(new Set(faults.map(({ target }) => target)).size).toBe(faults.length);
});
