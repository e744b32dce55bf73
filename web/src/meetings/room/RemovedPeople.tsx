import { routes } from '@nolo/api';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useInfiniteQuery } from '@tanstack/react-query';
import { pagesQuery } from '../../api/usePages.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { useRoomState, useRoomSession } from './roomContext.ts';
import { useHostActions } from './useHostActions.ts';

/** Milliseconds between polls, because removing or readmitting a person outside the meeting sends no event. */
const pollMs = 10_000;

/** Lists removed people, and readmits them. */
export function RemovedPeople() {
  const { t } = useTranslation();
  const session = useRoomSession();
  const roomCode = useRoomState((state) => state.meeting?.roomCode) ?? session.roomCode;
  const { moderate, running } = useHostActions();
  const inside = useRoomState((state) => state.order.length);
  const query = { queryKey: ['meetings', 'removed', roomCode], params: { roomCode }, pollMs };
  const { data, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    ...pagesQuery(routes.listRemoved, query),
    gcTime: 0,
  });
  useEffect(() => {
    // A participant left, possibly because they were removed.
    void refetch();
  }, [inside, refetch]);
  const removed = data?.pages.flatMap(({ items }) => items) ?? [];
  if (removed.length === 0) return null;

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
                busy={running === userId}
                aria-label={t('meeting.people.readmitNamed', { name })}
                onClick={() => void moderate('readmit', userId, refetch)}
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
