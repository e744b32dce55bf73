import { routes } from '@nolo/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callPage } from '../../api/httpClient.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { useRoomState, useRoomSession } from './roomContext.ts';
import { useHostActions } from './useHostActions.ts';

/** Milliseconds between polls, because removing or readmitting a person outside the meeting sends no event. */
const refetchIntervalMs = 10_000;

/** Lists removed people, and readmits them. */
export function RemovedPeople() {
  const { t } = useTranslation();
  const session = useRoomSession();
  const roomCode = useRoomState((state) => state.meeting?.roomCode) ?? session.roomCode;
  const { moderate } = useHostActions();
  const inside = useRoomState((state) => state.order.length);
  const [letting, setLetting] = useState<string | null>(null);
  const { data, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['meetings', 'removed', roomCode],
    queryFn: ({ pageParam, signal }) =>
      callPage(routes.listRemoved, { params: { roomCode }, query: pageParam ? { cursor: pageParam } : {}, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: refetchIntervalMs,
  });
  useEffect(() => {
    // A participant left, possibly because they were removed.
    void refetch();
  }, [inside, refetch]);
  const removed = data?.pages.flatMap(({ items }) => items) ?? [];
  if (removed.length === 0) return null;

  const letBack = async (userId: string): Promise<void> => {
    setLetting(userId);
    if (await moderate('readmit', userId)) await refetch();
    setLetting(null);
  };
  return (
    <section aria-labelledby="removed-title" className="border-t border-line py-3">
      <h3 id="removed-title" className="px-4 pb-1 text-13 font-semibold text-muted">
        {t('meeting.people.removed')}
      </h3>
      <ul>
        {removed.map(({ userId, user }) => {
          const name = user?.displayName ?? t('chats.deletedAccount');
          return (
            <li key={userId} className="flex min-h-14 items-center gap-3 px-4">
              <Avatar name={name} imageUrl={user?.profileImageUrl} size={40} />
              <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-14 font-medium">
                {name}
              </span>
              <Button
                size="small"
                kind="secondary"
                busy={letting === userId}
                aria-label={t('meeting.people.readmitNamed', { name })}
                onClick={() => void letBack(userId)}
              >
                {t('meeting.people.readmit')}
              </Button>
            </li>
          );
        })}
      </ul>
      {hasNextPage && (
        <div className="flex justify-center pt-1">
          <Button kind="quiet" size="small" busy={isFetching} onClick={() => void fetchNextPage()}>
            {t('meeting.people.removedMore')}
          </Button>
        </div>
      )}
    </section>
  );
}
