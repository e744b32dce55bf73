import type { FaultDirection } from '../../support/stacks/faultProxy.ts';
import {
  faultProxyNames,
  pairedFaultTargets,
  type FaultProxyName,
  type FaultTarget,
} from '../../support/stacks/faultStack.ts';
import { createSeededRandom } from '../../support/clients/scenario.ts';

interface Lasting {
  /** Milliseconds from the start of the fault until it is repaired. */
  ms: number;
}

export type ScheduledFault =
  | ({ kind: 'kill'; target: FaultTarget } & Lasting)
  /** Empties a store while its process continues. */
  | ({ kind: 'empty'; target: 'redis' } & Lasting)
  | ({ kind: 'reset'; target: FaultProxyName; share: number } & Lasting)
  | ({ kind: 'cut'; target: FaultProxyName } & Lasting)
  /** Ends with everything that was held arriving late, or with a reset. */
  | ({ kind: 'freeze'; target: FaultProxyName; direction: FaultDirection; arrives: boolean } & Lasting)
  | ({ kind: 'slow'; target: FaultProxyName; latencyMs: number; bytesPerSecond: number } & Lasting);

/** Faults that begin together, after a time without any. */
export interface FaultStep {
  calmMs: number;
  faults: ScheduledFault[];
}

export interface FaultPace {
  minCalmMs: number;
  maxCalmMs: number;
}

type Card = Pick<ScheduledFault, 'kind' | 'target'>;

/** Every fault once, and kills, the most frequent fault, once more. */
const deck: readonly Card[] = [
  ...pairedFaultTargets.flatMap((target): Card[] => [
    { kind: 'kill', target },
    { kind: 'kill', target },
  ]),
  { kind: 'empty', target: 'redis' },
  ...faultProxyNames.flatMap((target): Card[] =>
    (['reset', 'cut', 'freeze', 'slow'] as const).map((kind) => ({ kind, target })),
  ),
];

/** Yields the endless schedule of a seed, identical at every call. */
export function* createFaultSchedule(seed: number, { minCalmMs, maxCalmMs }: FaultPace): Generator<FaultStep> {
  const random = createSeededRandom(seed);
  const between = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const oneOf = <T>(values: readonly T[]): T => values[between(0, values.length - 1)]!;
  let cards: Card[] = [];

  const deal = (): Card => {
    // Shuffled and dealt to the end, so that a short run meets different faults and a long one all of them.
    if (cards.length === 0) {
      cards = [...deck];
      for (let index = cards.length - 1; index > 0; index -= 1) {
        const other = between(0, index);
        [cards[index], cards[other]] = [cards[other]!, cards[index]!];
      }
    }
    return cards.pop()!;
  };

  const detail = ({ kind, target }: Card): ScheduledFault => {
    const proxy = target as FaultProxyName;
    switch (kind) {
      case 'kill':
        return { kind, target: target as FaultTarget, ms: between(0, 2_000) };
      case 'empty':
        return { kind, target: 'redis', ms: 0 };
      case 'reset':
        return { kind, target: proxy, share: oneOf([0.3, 0.5, 1]), ms: 0 };
      case 'cut':
        return { kind, target: proxy, ms: between(200, 2_500) };
      case 'freeze':
        return {
          kind,
          target: proxy,
          direction: oneOf(['both', 'requests', 'answers'] as const),
          arrives: random() < 0.5,
          ms: between(500, 5_000),
        };
      case 'slow': {
        // A message crosses a store's connection several times, and a client's once each way.
        const client = proxy.startsWith('gateway');
        return {
          kind,
          target: proxy,
          latencyMs: client ? between(50, 400) : between(5, 50),
          bytesPerSecond: client ? between(40_000, 400_000) : between(400_000, 4_000_000),
          ms: between(1_000, 5_000),
        };
      }
    }
  };

  for (;;) {
    const calmMs = between(minCalmMs, maxCalmMs);
    const faults = [detail(deal())];
    if (random() < 0.3) {
      const second = detail(deal());
      if (second.target !== faults[0]!.target) faults.push(second);
    }
    yield { calmMs, faults };
  }
}

/** Describes a fault for progress lines and the report, as "kill chat 1.2 s". */
export function describeFault(fault: ScheduledFault): string {
  const how = fault.kind === 'freeze' && fault.direction !== 'both' ? ` ${fault.direction}` : '';
  return `${fault.kind} ${fault.target}${how} ${(fault.ms / 1000).toFixed(1)} s`;
}
