import type { SearchFilter } from './index/searchPorts.ts';

/** Filters as in the address of the search, so that Back restores them. */

export const searchKinds = ['media', 'file', 'link', 'voice'] as const;
export const searchTimes = ['day', 'week', 'month', 'year', 'before'] as const;
type Time = (typeof searchTimes)[number];

const dayMs = 86_400_000;
const days = { day: 1, week: 7, month: 30, year: 365, before: 365 } as const;

export interface ChosenFilters {
  readonly kind: (typeof searchKinds)[number] | null;
  readonly who: string | null;
  readonly where: string | null;
  readonly when: Time | null;
}

function oneOf<T extends string>(all: readonly T[], value: string | null): T | null {
  return all.find((one) => one === value) ?? null;
}

export function readFilters(query: URLSearchParams): ChosenFilters {
  return {
    kind: oneOf(searchKinds, query.get('kind')),
    who: query.get('who'),
    where: query.get('where'),
    when: oneOf(searchTimes, query.get('when')),
  };
}

/** Rounded to the minute, so that the same choice stays the same query while its results are shown. */
export function toSearchFilter({ kind, who, where, when }: ChosenFilters, now: number): SearchFilter {
  const minute = Math.floor(now / 60_000) * 60_000;
  const since = when === null ? 0 : minute - days[when] * dayMs;
  return {
    ...(kind !== null && { kind }),
    ...(who !== null && { senderId: who }),
    ...(where !== null && { conversationId: where }),
    ...(when !== null && (when === 'before' ? { to: since } : { from: since })),
  };
}
