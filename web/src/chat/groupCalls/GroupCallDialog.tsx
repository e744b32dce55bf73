import { routes } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../api/httpClient.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useCallUnavailableReason } from '../calling/CallButtons.tsx';
import { requestCall } from '../calling/callRequests.ts';
import { useChatState } from '../context/chatContext.ts';
import { groupKeys } from '../context/groupQueries.ts';
import { GroupCallTiles, maxGroupCallTiles } from './GroupCallTiles.tsx';
import { useGroupFailureWords } from './useGroupFailureWords.ts';
import { useTexts } from '../../i18n/texts.ts';
import { groupCallsTexts } from './groupCallsTexts.ts';

/** Milliseconds between polls, because nobody outside a call is notified of who joins and leaves. */
const refetchIntervalMs = 5_000;

/** Shows who is in the group's call, with a button to join. Polling creates nothing. */
export function GroupCallDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { t } = useTexts(groupCallsTexts);
  const members = useChatState((state) => state.conversations[id]?.memberCount ?? maxGroupCallTiles);
  const words = useGroupFailureWords();
  const joinButton = useRef<HTMLButtonElement>(null);
  const hindrance = useCallUnavailableReason();
  const room = useQuery({
    queryKey: [...groupKeys.one(id), 'call'],
    queryFn: ({ signal }) => call(routes.getGroupCall, { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: refetchIntervalMs,
  });
  const running = room.data?.meeting ?? null;
  const live = running !== null;
  const people = running?.participants ?? [];
  const count = Math.max(running?.participantCount ?? 0, people.length);

  const describeCall = () => {
    if (room.data === undefined) return t('groupCalls:loading');
    if (count > 0) return t('groupCalls:people', { count });
    return t(live ? 'groupCalls:live' : 'groupCalls:nobody');
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      initialFocus={() => joinButton.current}
      title={t('groupCalls:title')}
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
            {t(live ? 'groupCalls:join' : 'groupCalls:start')}
          </Button>
        </>
      }
    >
      {room.isError ? (
        <ErrorState
          className="py-6!"
          title={t('groupCalls:failed')}
          description={words(room.error)}
          retrying={room.isFetching}
          onRetry={() => void room.refetch()}
        />
      ) : (
        <>
          <p role="status" className="mb-3 text-14 text-muted">
            {describeCall()}
          </p>
          <GroupCallTiles size={Math.max(members, count)} people={people} count={count} loading={room.isPending} />
        </>
      )}
    </Dialog>
  );
}
