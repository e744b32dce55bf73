import type { Conversation } from '@nolo/api';
import { Info, Share2 } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { BackToList } from '../chat/conversation/BackToList.tsx';
import { CallButtons } from '../chat/calling/CallButtons.tsx';
import { hasOngoingGroupCall } from '@nolo/client/chat/chatStore';
import { Avatar } from '../ui/Avatar.tsx';
import { CountBadge } from '../ui/Badge.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { conversationName } from '../chat/words/conversationName.ts';
import { detailsPaneStore } from '../chat/context/detailsPaneStore.ts';
import { SearchButton, DisappearingTimerIcon } from '../chat/conversation/HeaderControls.tsx';
import { useTypingText } from '../chat/conversation/TypingRow.tsx';
import { useUnapprovedMessageCount, useJoinRequestCount } from '../chat/context/groupQueries.ts';
import { isAdminOrOwner } from './groupRights.ts';
import { useMessageWords } from '../chat/words/useMessageWords.ts';

const ShareGroupDialog = lazyDialog(async () => (await import('./ShareGroupDialog.tsx')).ShareGroupDialog);

/** Header of a group: name, typing or active call, and buttons for calls, link, and details. */
export function GroupHeader({ conversation }: { conversation: Conversation }) {
  const { t } = useMessageWords();
  const { id, group, memberCount, pictureUrl } = conversation;
  const name = conversationName(conversation, t);
  const typing = useTypingText(conversation);
  const open = useStore(detailsPaneStore, (state) => state.open);
  const waiting = useJoinRequestCount(conversation);
  const unapprovedCount = useUnapprovedMessageCount(conversation);
  const toDecide = isAdminOrOwner(conversation.myRole) ? waiting + unapprovedCount : 0;
  const [sharing, setSharing] = useState(false);
  return (
    <header
      data-keep-clear
      className="box-content flex h-16 shrink-0 items-center border-b border-line bg-panel px-1 pt-[env(safe-area-inset-top)] md:gap-1 md:ps-4 md:pe-2"
    >
      <BackToList />
      {/* The narrowest phones need the space for the name. */}
      <Avatar name={name} imageUrl={pictureUrl} size={40} className="max-[22rem]:hidden" />
      <div className="ms-2 min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-1.5">
          <h1 dir="auto" className="truncate text-ui-start text-16 font-semibold">
            {name}
          </h1>
          <DisappearingTimerIcon conversation={conversation} />
        </div>
        <p className="truncate text-13 text-muted">
          {typing === null ? (
            <>
              {hasOngoingGroupCall(conversation) && <span className="text-accent-text">{t('call.inProgress')} · </span>}
              {t('group.members', { count: memberCount })}
            </>
          ) : (
            <span dir="auto" className="text-accent-text">
              {typing}
            </span>
          )}
        </p>
      </div>
      <CallButtons target={{ groupId: id }} name={name} joins={hasOngoingGroupCall(conversation)} />
      <SearchButton conversationId={id} />
      <IconButton label={t('group.shareOf', { name })} icon={<Share2 />} onClick={() => setSharing(true)} />
      <span className="relative inline-flex">
        <IconButton
          label={t('conversation.info')}
          icon={<Info />}
          aria-expanded={open}
          onClick={() => detailsPaneStore.setState({ open: !open })}
        />
        <CountBadge
          className="pointer-events-none absolute -end-0.5 -top-0.5"
          count={toDecide}
          label={t('group.toDecide', { count: toDecide })}
        />
      </span>
      {sharing && (
        <ShareGroupDialog
          group={{ id, name, roomCode: group?.roomCode ?? null, isPublic: group?.isPublic ?? false }}
          onClose={() => setSharing(false)}
        />
      )}
    </header>
  );
}
