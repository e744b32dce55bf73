import { UserRound } from 'lucide-react';
import { Avatar } from '../../ui/Avatar.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import type { ListedPerson } from './person.ts';
import { useTexts } from '../../i18n/texts.ts';
import { groupCallsTexts } from './groupCallsTexts.ts';

/** Maximum places in the grid of a group call (spec section 2). */
export const maxGroupCallTiles = 7;

interface GroupCallPlacesProps {
  /** Number of people who could be in the call. At most seven places are shown. */
  size: number;
  people: readonly ListedPerson[];
  count: number;
  loading: boolean;
}

/** Shows up to seven places, at most one per group member: taken by participants, otherwise free. */
export function GroupCallTiles({ size, people, count, loading }: GroupCallPlacesProps) {
  const { t } = useTexts(groupCallsTexts);
  // The last place shows how many people are not named, if there are more people than places.
  const named = people.slice(0, count > maxGroupCallTiles ? maxGroupCallTiles - 1 : maxGroupCallTiles);
  const unnamed = Math.max(0, count - named.length);
  return (
    <ul aria-label={t('groupCalls:places')} className="grid grid-cols-4 gap-2">
      {Array.from({ length: Math.min(maxGroupCallTiles, size) }, (_, place) => {
        const person = named[place];
        const rest = place === named.length && unnamed > 0;
        return (
          <li key={place} className="flex min-w-0 flex-col items-center gap-1.5 rounded-card bg-sunken px-1 py-3">
            {person ? (
              <>
                <Avatar name={person.displayName} imageUrl={person.profileImageUrl} size={48} />
                <span dir="auto" className="w-full truncate text-center text-12">
                  {person.displayName}
                </span>
              </>
            ) : rest ? (
              <>
                <span className="tabular flex size-12 items-center justify-center rounded-full bg-accent-subtle text-14 font-semibold text-accent-text">
                  +{unnamed}
                </span>
                <span className="w-full truncate text-center text-12">{t('groupCalls:more', { count: unnamed })}</span>
              </>
            ) : loading ? (
              <>
                <Skeleton className="size-12 rounded-full!" />
                <Skeleton className="h-3 w-10" />
              </>
            ) : (
              <>
                <span
                  aria-hidden="true"
                  className="flex size-12 items-center justify-center rounded-full border border-dashed border-line-strong text-muted"
                >
                  <UserRound className="size-5" />
                </span>
                <span className="w-full truncate text-center text-12 text-muted">{t('groupCalls:freePlace')}</span>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
