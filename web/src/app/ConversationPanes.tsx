import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { Outlet, useParams } from 'react-router-dom';
import { useStore } from 'zustand';
import { useChatState } from '../chat/context/chatContext.ts';
import { Panes } from '../shell/Panes.tsx';
import { groupRequestStore } from '../chat/context/groupRequestStore.ts';
import type { ListedPerson } from '../chat/groupCalls/person.ts';
import type { GroupDialogState } from '../groups/GroupDialogs.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { isMessageRequest } from '@nolo/client/chat/hiding';
import { detailsPaneStore } from '../chat/context/detailsPaneStore.ts';
import { lazyComponent } from '../ui/lazyComponents.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useTexts } from '../i18n/texts.ts';

function DetailsSkeleton() {
  const { t } = useTexts();
  return (
    <div role="status" aria-label={t('shell.loadingDetails')} className="flex flex-col gap-6 px-5 py-6">
      <div className="flex flex-col items-center">
        <Skeleton className="size-24 rounded-full!" />
        <Skeleton className="mt-3 h-7 w-40" />
        <Skeleton className="mt-1.5 h-4 w-24" />
      </div>
      <div className="flex flex-col gap-2">
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
      </div>
      <Skeleton className="h-40 rounded-card!" />
    </div>
  );
}

const ConversationDetails = lazyComponent(
  async () => (await import('../chat/conversation/ConversationDetails.tsx')).ConversationDetails,
);

const LeaveGroupDialog = lazyDialog(async () => (await import('../groups/LeaveGroupDialog.tsx')).LeaveGroupDialog);

const GroupDialogs = lazyDialog(
  async () => (await import('../groups/GroupDialogs.tsx')).GroupDialogs,
  ({ onChange }) => onChange(null),
);

const GroupDetails = lazyComponent(async () => (await import('../groups/GroupDetails.tsx')).GroupDetails);

interface ConversationPanesProps {
  list: ReactNode;
  /** Content next to the list while no conversation is open; by default, from the route. */
  none?: ReactNode;
}

/** List of conversations at the start edge, the open one next to it, and its details at the end edge. */
export function ConversationPanes({ list, none = <Outlet /> }: ConversationPanesProps) {
  const { t } = useTexts();
  const { id } = useParams();
  const open = useStore(detailsPaneStore, (state) => state.open);
  const leaving = useStore(groupRequestStore, (state) => state.leaving);
  const people = useStore(groupRequestStore, (state) => state.newWith);
  useEffect(() => () => detailsPaneStore.setState({ open: false }), [id]);
  return (
    <>
      <Panes
        list={list}
        content={id === undefined ? none : <Outlet />}
        contentOpen={id !== undefined}
        details={{
          title: t('shell.details'),
          content:
            id === undefined ? null : (
              <Suspense fallback={<DetailsSkeleton />}>
                <Details key={id} conversationId={id} />
              </Suspense>
            ),
          open: open && id !== undefined,
          onOpenChange: (next) => detailsPaneStore.setState({ open: next }),
        }}
      />
      {leaving && (
        <LeaveGroupDialog conversation={leaving} onClose={() => groupRequestStore.setState({ leaving: null })} />
      )}
      {people && <NewGroupDialogs people={people} onClose={() => groupRequestStore.setState({ newWith: null })} />}
    </>
  );
}

function NewGroupDialogs({ people, onClose }: { people: readonly ListedPerson[]; onClose: () => void }) {
  const [dialog, setDialog] = useState<GroupDialogState>({ kind: 'group', people });
  return (
    <GroupDialogs entry="desktop" dialog={dialog} onChange={(next) => (next === null ? onClose() : setDialog(next))} />
  );
}

function Details({ conversationId }: { conversationId: string }) {
  const conversation = useChatState((state) => state.conversations[conversationId]);
  // Requests that are not accepted yet show only their messages.
  if (!conversation || isMessageRequest(conversation)) return null;
  if (conversation.type === 'group') return <GroupDetails conversation={conversation} />;
  return <ConversationDetails conversationId={conversationId} />;
}
