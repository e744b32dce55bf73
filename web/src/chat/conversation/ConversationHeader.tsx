import type { Conversation } from '@nolo/api';
import { Info } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { BackToList } from './BackToList.tsx';
import { usePresence } from '../context/chatContext.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { CallButtons } from '../calling/CallButtons.tsx';
import { conversationName } from '../words/conversationName.ts';
import { detailsPaneStore } from '../context/detailsPaneStore.ts';
import { SearchButton, NewSocialPostButton, DisappearingTimerIcon } from './HeaderControls.tsx';
import { PresenceWords } from '../words/PresenceWords.tsx';
import { useIsSomeoneTyping } from './TypingRow.tsx';

/** Conversation's other person, their presence, and a link to more details. */
export function ConversationHeader({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const name = conversationName(conversation, t);
  const { otherUser } = conversation;
  const presence = usePresence(otherUser);
  const { presenceStatus, statusMessage } = presence;
  const hasPresence = presenceStatus !== null || presence.lastSeenAt !== undefined;
  const typing = useIsSomeoneTyping(conversation.id);
  const open = useStore(detailsPaneStore, (state) => state.open);
  return (
    <header
      data-keep-clear
      className="box-content flex h-16 shrink-0 items-center border-b border-line bg-panel px-1 pt-[env(safe-area-inset-top)] md:gap-1 md:ps-4 md:pe-2"
    >
      <BackToList />
      <Avatar
        name={name}
        imageUrl={otherUser?.profileImageUrl}
        presence={(otherUser && presenceStatus) ?? undefined}
        size={40}
        // The narrowest phones need the space for the name.
        className="nolo-header-picture max-[22rem]:hidden"
      />
      <div className="@container ms-2 min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-1.5">
          <h1 dir="auto" className="truncate text-ui-start text-16 font-semibold">
            {name}
          </h1>
          <DisappearingTimerIcon conversation={conversation} />
        </div>
        {otherUser && (
          <p className="flex min-h-lh min-w-0 items-center gap-1.5 text-13 text-muted">
            {typing ? (
              <span className="text-accent-text">{t('chats.typingShort')}</span>
            ) : (
              <>
                {hasPresence && (
                  <span className={presence.lastSeenAt === undefined ? 'shrink-0' : 'max-w-full shrink-0 truncate'}>
                    <PresenceWords {...presence} tight />
                  </span>
                )}
                {statusMessage !== '' && (
                  <>
                    {hasPresence && (
                      <span aria-hidden="true" className="@max-[8rem]:hidden">
                        ·
                      </span>
                    )}
                    <span dir="auto" className="truncate @max-[8rem]:hidden">
                      {statusMessage}
                    </span>
                  </>
                )}
              </>
            )}
          </p>
        )}
      </div>
      {conversation.type === 'direct' && otherUser && !otherUser.isBlocked && (
        <CallButtons target={{ conversationId: conversation.id }} name={name} />
      )}
      <SearchButton conversationId={conversation.id} />
      <NewSocialPostButton />
      <IconButton
        label={t('conversation.info')}
        icon={<Info />}
        aria-expanded={open}
        onClick={() => detailsPaneStore.setState({ open: !open })}
      />
    </header>
  );
}
