import type { Conversation } from '@nolo/api';
import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { CallButtons } from '../chat/calling/CallButtons.tsx';
import { hasOngoingGroupCall } from '@nolo/client/chat/chatStore';
import { Avatar } from '../ui/Avatar.tsx';
import { CountBadge } from '../ui/Badge.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { conversationName } from '../chat/words/conversationName.ts';
import { HeaderFrame, SearchButton } from '../chat/conversation/HeaderControls.tsx';
import { useTypingText } from '../chat/conversation/TypingRow.tsx';
import { useUnapprovedMessageCount, useJoinRequestCount } from '../chat/context/groupScreenQueries.ts';
import { isAdminOrOwner } from './groupRights.ts';
import { useTexts } from '../i18n/texts.ts';
import { callTexts } from '../chat/words/callTexts.ts';
import { groupTexts } from '../chat/words/groupTexts.ts';

const ShareGroupDialog = lazyDialog(async () => (await import('./ShareGroupDialog.tsx')).ShareGroupDialog);

/** Header of a group: name, typing or active call, and buttons for calls, link, and details. */
export function GroupHeader({ conversation }: { conversation: Conversation }) {
  const { t } = useTexts(callTexts, groupTexts);
  const { id, group, memberCount, pictureUrl } = conversation;
  const name = conversationName(conversation, t);
  const typing = useTypingText(conversation);
  const waiting = useJoinRequestCount(conversation);
  const unapprovedCount = useUnapprovedMessageCount(conversation);
  const toDecide = isAdminOrOwner(conversation.myRole) ? waiting + unapprovedCount : 0;
  const [sharing, setSharing] = useState(false);
  return (
    <HeaderFrame
      conversation={conversation}
      name={name}
      // The narrowest phones need the space for the name.
      picture={<Avatar name={name} imageUrl={pictureUrl} size={40} className="max-[22rem]:hidden" />}
      line={
        <p className="truncate text-13 text-muted">
          {typing === null ? (
            <>
              {hasOngoingGroupCall(conversation) && <span className="text-accent-text">{t('call:inProgress')} · </span>}
              {t('group:members', { count: memberCount })}
            </>
          ) : (
            <span dir="auto" className="text-accent-text">
              {typing}
            </span>
          )}
        </p>
      }
      badge={
        <CountBadge
          className="pointer-events-none absolute -end-0.5 -top-0.5"
          count={toDecide}
          label={t('group:toDecide', { count: toDecide })}
        />
      }
    >
      <CallButtons target={{ groupId: id }} name={name} joins={hasOngoingGroupCall(conversation)} />
      <SearchButton conversationId={id} />
      <IconButton label={t('group:shareOf', { name })} icon={<Share2 />} onClick={() => setSharing(true)} />
      {sharing && (
        <ShareGroupDialog
          group={{ id, name, roomCode: group?.roomCode ?? null, isPublic: group?.isPublic ?? false }}
          onClose={() => setSharing(false)}
        />
      )}
    </HeaderFrame>
  );
}
