import type { Direction } from '../../support/faultLine.ts';
import { lineNames, victimsOfPairs, type LineName, type Victim } from '../../support/faultStack.ts';
import { seeded } from '../../support/scenario.ts';

interface Lasting {
  /** Milliseconds from its beginning until it is taken back. */
  ms: number;
}

export type Fault =
  | ({ kind: 'kill'; target: Victim } & Lasting)
  /** Its process goes on without anything of what it knew. */
  | ({ kind: 'empty'; target: 'redis' } & Lasting)
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

/** Every fault there is once, and kills, which are most of what happens, once more. */
const deck: readonly Card[] = [
  ...victimsOfPairs.flatMap((target): Card[] => [
    { kind: 'kill', target },
    { kind: 'kill', target },
  ]),
  { kind: 'empty', target: 'redis' },
  ...lineNames.flatMap((target): Card[] =>
    (['reset', 'cut', 'freeze', 'slow'] as const).map((kind) => ({ kind, target })),
  ),
];

/** The endless schedule of a seed: the same at every call. */
export function* schedule(seed: number, { leastCalmMs, mostCalmMs }: Pace): Generator<Step> {
  const random = seeded(seed);
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const oneOf = <T>(values: readonly T[]): T => values[between(0, values.length - 1)]!;
  let cards: Card[] = [];

  const deal = (): Card => {
    // Shuffled and dealt to the end, so that a short run meets different faults, and a long one all of them.
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
        return { kind, target: 'redis', ms: 0 };
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
        // A message crosses a store's line several times, and a client's once there and back.
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

/** "kill chat 1.2 s", for a line of progress and for the report. */
export function describeFault(fault: Fault): string {
  const how = fault.kind === 'freeze' && fault.direction !== 'both' ? ` ${fault.direction}` : '';
  return `${fault.kind} ${fault.target}${how} ${(fault.ms / 1000).toFixed(1)} s`;
}
