import type { Direction } from '../../support/faultLine.ts';
import { lineNames, victimsOfPairs, type LineName, type Victim } from '../../support/faultStack.ts';
import { seeded } from '../../support/scenario.ts';

interface Lasting {
  /** Milliseconds from the start of the fault until it is repaired. */
  ms: number;
}

export type Fault =
  | ({ kind: 'kill'; target: Victim } & Lasting)
  /** Empties a store: its process continues, or another one replaces it, without any of its data. */
  | ({ kind: 'empty'; target: 'redis' | 'nats' } & Lasting)
  | ({ kind: 'reset'; target: LineName; share: number } & Lasting)
  | ({ kind: 'cut'; target: LineName } & Lasting)
  /** Ends with everything that was held arriving late, or with a reset. */
  | ({ kind: 'freeze'; target: LineName; direction: Direction; arrives: boolean } & Lasting)
  | ({ kind: 'slow'; target: LineName; latencyMs: number; bytesPerSecond: number } & Lasting);

/** Faults that begin together, after a time without any. */
export interface Step {
  calmMs: number;
  faults: Fault[];
}

export interface Pace {
  leastCalmMs: number;
  mostCalmMs: number;
}

type Card = Pick<Fault, 'kind' | 'target'>;

/** Every fault once, and kills, the most frequent fault, once more. */
const deck: readonly Card[] = [
  ...victimsOfPairs.flatMap((target): Card[] => [
    { kind: 'kill', target },
    { kind: 'kill', target },
  ]),
  { kind: 'empty', target: 'redis' },
  { kind: 'empty', target: 'nats' },
  ...lineNames.flatMap((target): Card[] =>
    (['reset', 'cut', 'freeze', 'slow'] as const).map((kind) => ({ kind, target })),
  ),
];

/** Yields the endless schedule of a seed, identical at every call. */
export function* schedule(seed: number, { leastCalmMs, mostCalmMs }: Pace): Generator<Step> {
  const random = seeded(seed);
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
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

  const detail = ({ kind, target }: Card): Fault => {
    const line = target as LineName;
    switch (kind) {
      case 'kill':
        return { kind, target: target as Victim, ms: between(0, 2_000) };
      case 'empty':
        return { kind, target: target as 'redis' | 'nats', ms: 0 };
      case 'reset':
        return { kind, target: line, share: oneOf([0.3, 0.5, 1]), ms: 0 };
      case 'cut':
        return { kind, target: line, ms: between(200, 2_500) };
      case 'freeze':
        return {
          kind,
          target: line,
          direction: oneOf(['both', 'requests', 'answers'] as const),
          arrives: random() < 0.5,
          ms: between(500, 5_000),
        };
      case 'slow': {
        // A message crosses a store's connection several times, and a client's once each way.
        const client = line.startsWith('gateway');
        return {
          kind,
          target: line,
          latencyMs: client ? between(50, 400) : between(5, 50),
          bytesPerSecond: client ? between(40_000, 400_000) : between(400_000, 4_000_000),
          ms: between(1_000, 5_000),
        };
      }
    }
  };

  for (;;) {
    const calmMs = between(leastCalmMs, mostCalmMs);
    const faults = [detail(deal())];
    if (random() < 0.3) {
      const second = detail(deal());
      if (second.target !== faults[0]!.target) faults.push(second);
    }
    yield { calmMs, faults };
  }
}

/** Describes a fault for progress lines and the report, as "kill chat 1.2 s". */
export function describeFault(fault: Fault): string {
  const how = fault.kind === 'freeze' && fault.direction !== 'both' ? ` ${fault.direction}` : '';
  return `${fault.kind} ${fault.target}${how} ${(fault.ms / 1000).toFixed(1)} s`;
}
