import type { Conversation } from '@nolo/api';
import { cutText } from '@nolo/rules';
import { BellOff, Check, CheckCheck, Clock3, Phone, Pin, UserPlus } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { useStore } from 'zustand';
import { useChat, useChatState, usePresence } from '../context/chatContext.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import { useLocale } from '../../i18n/locale.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { isBeingOpened } from '@nolo/client/chat/sealedRows';
import { useIsUnconfirmed } from '../words/useDescribeSystemMessage.ts';
import { rowNoteOf } from '../words/rowNotes.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Badge, CountBadge } from '../../ui/Badge.tsx';
import { classNames } from '../../ui/classNames.ts';
import {
  deliveryOf,
  hasOngoingGroupCall,
  isMuted,
  hasUnreadMention,
  hasAllMembers,
  countJoinRequestsForAdmin,
} from '@nolo/client/chat/chatStore';
import type { PendingMessage } from '@nolo/client/chat/timeline';
import { useAreCallsAvailable } from '../calling/useAreCallsAvailable.ts';
import { CallButtons } from '../calling/CallButtons.tsx';
import { conversationName, conversationPath, conversationPicture } from '../words/conversationName.ts';
import { formatConversationTime } from '../words/formatConversationTime.ts';
import { toMessagePreview, toPendingMessagePreview, type MessagePreview } from '../words/messagePreview.ts';
import { useNow } from '../../shell/useNow.ts';
import { useTexts } from '../../i18n/texts.ts';
import { callTexts } from '../words/callTexts.ts';
import { groupTexts } from '../words/groupTexts.ts';

export interface ConversationRowProps {
  conversation: Conversation;
  /** True if this conversation is open beside the list. */
  current: boolean;
  /** True if Tab stops here. The arrows move from there. */
  tabStop: boolean;
}

/** Row of the list: name, time, last message, and unread count. */
export const ConversationRow = memo(function ConversationRow({ conversation, current, tabStop }: ConversationRowProps) {
  const { t } = useTexts();
  const { id, otherUser, lastMessage, unreadCount } = conversation;
  const pending = usePending(id);
  const lastAt = pending ? new Date(pending.createdAt).toISOString() : lastMessage?.createdAt;
  const name = conversationName(conversation, t);
  const { presenceStatus } = usePresence(otherUser);
  const inGroup = conversation.type === 'group';
  const callable = inGroup || (conversation.type === 'direct' && otherUser !== null && !otherUser.isBlocked);
  const withButtons = useAreCallsAvailable() && callable;
  return (
    <div
      className={classNames(
        'relative flex h-(--nolo-row) items-center rounded-card select-none',
        current ? 'bg-accent-subtle' : 'hover:bg-hover active:bg-pressed',
      )}
    >
      <Link
        to={conversationPath(conversation)}
        data-conversation={id}
        aria-current={current ? 'page' : undefined}
        tabIndex={tabStop ? 0 : -1}
        className="flex h-full min-w-0 flex-1 items-center gap-3 rounded-card px-2.5 outline-offset-[-2px]"
      >
        <Avatar
          name={name}
          imageUrl={conversationPicture(conversation)}
          presence={(otherUser && presenceStatus) ?? undefined}
          size={48}
          className="nolo-row-picture"
        />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-15 font-medium">
              {name}
            </span>
            {/* Phones show the buttons here, over the link, so that the preview has the whole second line. The
               narrowest phones need the space for the name. */}
            {withButtons && (
              <span
                className={classNames(
                  'shrink-0 max-[359px]:hidden md:hidden',
                  // Includes the width of the missing time, so that the buttons align in all rows.
                  lastAt === undefined ? 'w-34' : 'w-20',
                )}
              />
            )}
            {lastAt !== undefined && <RowTime at={lastAt} unread={unreadCount > 0} />}
          </span>
          <span className="mt-0.5 flex items-center gap-1.5">
            <RowText conversation={conversation} current={current} />
            <ConversationRowIcons conversation={conversation} />
          </span>
        </span>
      </Link>
      {withButtons && (
        <CallButtons
          target={inGroup ? { groupId: id } : { conversationId: id }}
          joins={hasOngoingGroupCall(conversation)}
          name={name}
          size="small"
          canTakeBack
          tabIndex={tabStop ? 0 : -1}
          className="row-actions max-[359px]:hidden max-md:absolute max-md:end-18 max-md:top-1 max-md:h-10 md:-ms-1 md:pe-1.5 md:max-lg:hidden"
        />
      )}
    </div>
  );
});

/** Shows the user's settings for the conversation and the unread count. */
function ConversationRowIcons({ conversation }: { conversation: Conversation }) {
  const { t } = useTexts(callTexts, groupTexts);
  const { pinnedAt, markedUnread, unreadCount } = conversation;
  const mentioned = hasUnreadMention(conversation) && unreadCount > 0;
  const muted = isMuted(conversation, useNow());
  const requestCount = countJoinRequestsForAdmin(conversation);
  const iconProps = { role: 'img', 'aria-hidden': false, className: 'size-4 shrink-0 text-muted' } as const;
  return (
    <>
      {hasOngoingGroupCall(conversation) && (
        <Phone {...iconProps} aria-label={t('call:inProgress')} className="size-4 shrink-0 text-accent-text" />
      )}
      {requestCount > 0 && (
        <Badge tone="warning" className="tabular h-5 shrink-0 px-1.5! [&_svg]:size-3.5">
          <UserPlus aria-hidden="true" />
          <span aria-hidden="true">{requestCount}</span>
          <span className="sr-only">{t('group:askToJoin', { count: requestCount })}</span>
        </Badge>
      )}
      {muted && <BellOff {...iconProps} aria-label={t('chats.muted')} />}
      {pinnedAt !== null && <Pin {...iconProps} aria-label={t('chats.pinned')} />}
      {markedUnread && unreadCount === 0 && (
        <span
          role="img"
          aria-label={t('chats.markedUnread')}
          className={classNames('m-1 size-3 shrink-0 rounded-full', muted ? 'bg-line-strong' : 'bg-accent')}
        />
      )}
      {mentioned && (
        <span className="inline-flex size-5 shrink-0 items-center justify-center rounded-full bg-ink text-12 font-semibold text-page">
          <span aria-hidden="true">@</span>
          <span className="sr-only">{t('chats.mentioned')}</span>
        </span>
      )}
      {unreadCount > 0 && (
        <CountBadge count={unreadCount} muted={muted} label={t('chats.unread', { count: unreadCount })} />
      )}
    </>
  );
}

function RowTime({ at, unread }: { at: string; unread: boolean }) {
  const locale = useLocale();
  const { text, exact } = formatConversationTime(Date.parse(at), useNow(), locale);
  return (
    <time
      dateTime={at}
      title={exact}
      className={classNames(
        'tabular shrink-0 text-12 max-md:min-w-12 max-md:text-end',
        unread ? 'font-medium text-accent-text' : 'text-muted',
      )}
    >
      {text}
    </time>
  );
}

/** Returns the user's last unsent message. */
function usePending(conversationId: string): PendingMessage | undefined {
  return useChatState(({ timelines }) => timelines[conversationId]?.pending.at(-1));
}

/** Delivery state of the user's last message, if it is known for all members. */
function LastMessageDeliveryIcon({ conversation, selfId }: { conversation: Conversation; selfId: string }) {
  const { t } = useTexts();
  const { lastMessage } = conversation;
  if (!lastMessage || lastMessage.senderId !== selfId || lastMessage.deletedAt !== null) return null;
  if (lastMessage.messageType === 'system' || !hasAllMembers(conversation)) return null;
  const state = deliveryOf(lastMessage, conversation, selfId);
  const Icon = state === 'sent' ? Check : CheckCheck;
  return (
    <Icon
      role="img"
      aria-hidden={false}
      aria-label={t(`chats.delivery.${state}`)}
      strokeWidth={2.25}
      className={classNames('size-4 shrink-0', state === 'read' ? 'text-accent-text' : 'text-muted')}
    />
  );
}

function PendingMessageIcon({ state }: Pick<PendingMessage, 'state'>) {
  const { t } = useTexts();
  if (state === 'failed') return <span className="shrink-0 font-medium text-danger-text">{t('chats.notSent')}</span>;
  return (
    <Clock3
      role="img"
      aria-hidden={false}
      aria-label={t(state === 'waiting' ? 'chats.waiting' : 'chats.sending')}
      className="size-3.5 shrink-0"
    />
  );
}

/** Shows who is typing, otherwise the draft, otherwise the unsent message, otherwise the last message. */
function RowText({ conversation, current }: { conversation: Conversation; current: boolean }) {
  const { t } = useTexts(callTexts, groupTexts);
  const { drafts } = useChat();
  const names = usePeopleNames();
  const { selfId } = names;
  const typing = useChatState((state) => Object.keys(state.typing[conversation.id] ?? {}).find((id) => id !== selfId));
  const several = conversation.type !== 'direct';
  const draft = useStore(drafts, (state) => state.drafts[conversation.id]);
  const pending = usePending(conversation.id);
  const { lastMessage } = conversation;
  const isUnconfirmed = useIsUnconfirmed();
  const unconfirmed = useChatState(
    (state) => lastMessage !== null && isUnconfirmed?.(lastMessage, conversation, state) === true,
  );
  if (typing !== undefined) {
    return (
      <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-14 text-accent-text">
        {several ? t('chats.typing', { name: names.shortNameOf(typing) }) : t('chats.typingShort')}
      </span>
    );
  }
  const showDraft = draft !== undefined && !current;
  if (!showDraft && pending) {
    return (
      <span className="flex min-w-0 flex-1 items-center gap-1.5 text-14 text-muted">
        <PendingMessageIcon state={pending.state} />
        <PreviewLine {...toPendingMessagePreview(pending, t, names)} />
      </span>
    );
  }
  if (!showDraft && lastMessage && isBeingOpened(lastMessage)) {
    return (
      <span className="flex h-[1.4em] min-w-0 flex-1 items-center text-14">
        <Skeleton className="h-3 w-3/5" />
        <span className="sr-only">{t('chats.opening')}</span>
      </span>
    );
  }
  const preview = showDraft
    ? { lead: t('chats.draft', { text: '' }), text: cutText(draft, 500).replace(/\s+/g, ' ') }
    : unconfirmed
      ? { lead: '', text: t('chats.systemMessage') }
      : toMessagePreview(lastMessage, t, names, several);
  const quiet = lastMessage === null || lastMessage.deletedAt !== null || rowNoteOf(lastMessage) !== null;
  return (
    <>
      {!showDraft && <LastMessageDeliveryIcon conversation={conversation} selfId={selfId} />}
      <PreviewLine
        {...preview}
        className={classNames(
          'text-14',
          conversation.unreadCount > 0 && !showDraft ? 'text-ink' : 'text-muted',
          quiet && !showDraft && 'italic',
        )}
      />
    </>
  );
}

/** Shows sender and text, each in its own direction, so that the end is cut off. */
function PreviewLine({ lead, text, className }: MessagePreview & { className?: string }) {
  return (
    <span className={classNames('flex min-w-0 flex-1 gap-1', className)}>
      {lead !== '' && (
        <span dir="auto" className="max-w-1/2 shrink-0 truncate">
          {lead}
        </span>
      )}
      <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start">
        {text}
      </span>
    </span>
  );
}
