import type { Conversation } from '@nolo/api';
import { Suspense } from 'react';
import { usePresence } from '../context/chatContext.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { CallButtons } from '../calling/CallButtons.tsx';
import { lazyOptional } from '../../ui/lazyComponents.tsx';
import { conversationName } from '../words/conversationName.ts';
import { HeaderFrame, NewSocialPostButton, SearchButton } from './HeaderControls.tsx';
import { PresenceWords } from '../words/PresenceWords.tsx';
import { useIsSomeoneTyping } from './TypingRow.tsx';
import { useTexts } from '../../i18n/texts.ts';

const VerifiedMark = lazyOptional(async () => (await import('../../keys/VerifiedMark.tsx')).VerifiedMark);

/** Conversation's other person, their presence, and a link to more details. */
export function ConversationHeader({ conversation }: { conversation: Conversation }) {
  const { t } = useTexts();
  const name = conversationName(conversation, t);
  const { otherUser } = conversation;
  const presence = usePresence(otherUser);
  const { presenceStatus, statusMessage } = presence;
  const hasPresence = presenceStatus !== null || presence.lastSeenAt !== undefined;
  const typing = useIsSomeoneTyping(conversation.id);
  return (
    <HeaderFrame
      conversation={conversation}
      name={name}
      mark={
        otherUser && (
          <Suspense>
            <VerifiedMark userId={otherUser.id} />
          </Suspense>
        )
      }
      picture={
        <Avatar
          name={name}
          imageUrl={otherUser?.profileImageUrl}
          presence={(otherUser && presenceStatus) ?? undefined}
          size={40}
          // The narrowest phones need the space for the name.
          className="nolo-header-picture max-[22rem]:hidden"
        />
      }
      line={
        otherUser && (
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
        )
      }
    >
      {conversation.type === 'direct' && otherUser && !otherUser.isBlocked && (
        <CallButtons target={{ conversationId: conversation.id }} name={name} />
      )}
      <SearchButton conversationId={conversation.id} />
      <NewSocialPostButton />
    </HeaderFrame>
  );
}
