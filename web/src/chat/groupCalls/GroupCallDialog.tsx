import { routes } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { useRef } from 'react';
import { call } from '../../api/httpClient.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useCallHindrance } from '../calling/CallButtons.tsx';
import { requestCall } from '../calling/callRequests.ts';
import { groupKeys } from '../context/groupQueries.ts';
import type { Person } from './person.ts';
import { useGroupFailureWords } from './useGroupFailureWords.ts';
import { useGroupsWords } from './useGroupsWords.ts';

/** The specification's grid of a group's call (section 2). */
const places = 7;
/** Nobody is told outside of a call who comes and goes. */
const lookAgainMs = 5_000;

export interface GroupCallDialogProps {
  id: string;
  name: string;
  onClose: () => void;
}

/** Who is in the group's call, and the way in. Looking creates nothing. */
export function GroupCallDialog({ id, name, onClose }: GroupCallDialogProps) {
  const { t } = useGroupsWords();
  const words = useGroupFailureWords();
  const joinButton = useRef<HTMLButtonElement>(null);
  const hindrance = useCallHindrance();
  const room = useQuery({
    queryKey: [...groupKeys.one(id), 'call'],
    queryFn: ({ signal }) => call(routes.getGroupCall, { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: lookAgainMs,
  });
  const running = room.data?.meeting ?? null;
  const live = running !== null;
  const people = running?.participants ?? [];
  const count = Math.max(running?.participantCount ?? 0, people.length);

  const said = () => {
    if (room.data === undefined) return t('groups.call.loading');
    if (count > 0) return t('groups.call.people', { count });
    return t(live ? 'groups.call.live' : 'groups.call.nobody');
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      initialFocus={() => joinButton.current}
      title={t('groups.call.title')}
      description={<span dir="auto">{name}</span>}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            ref={joinButton}
            disabled={hindrance !== undefined}
            title={hindrance}
            onClick={() => {
              requestCall({ groupId: id }, 'video');
              onClose();
            }}
          >
            {t(live ? 'groups.call.join' : 'groups.call.start')}
          </Button>
        </>
      }
    >
      {room.isError ? (
        <ErrorState
          className="py-6!"
          title={t('groups.call.failed')}
          description={words(room.error)}
          retrying={room.isFetching}
          onRetry={() => void room.refetch()}
        />
      ) : (
        <>
          <p role="status" className="mb-3 text-14 text-muted">
            {said()}
          </p>
          <Places people={people} count={count} loading={room.isPending} />
        </>
      )}
    </Dialog>
  );
}

/** Seven places: taken by who is there, and otherwise free. */
function Places({ people, count, loading }: { people: readonly Person[]; count: number; loading: boolean }) {
  const { t } = useGroupsWords();
  const named = people.slice(0, places);
  // Who is there and was not named stands behind a number; beyond seven, the last place counts the rest.
  const unnamed = Math.max(0, count - named.length);
  return (
    <ul aria-label={t('groups.call.places')} className="grid grid-cols-4 gap-2">
      {Array.from({ length: places }, (_, place) => {
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
                <span className="w-full truncate text-center text-12">{t('groups.call.more', { count: unnamed })}</span>
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
                <span className="w-full truncate text-center text-12 text-muted">{t('groups.call.freePlace')}</span>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
