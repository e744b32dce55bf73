import type { Message } from '@nolo/api';
import { Check, CircleAlert } from 'lucide-react';
import { memo, Suspense } from 'react';
import { useChatState, usePerson } from '../context/chatContext.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { lazyOptional } from '../../ui/lazyComponents.tsx';
import { classNames } from '../../ui/classNames.ts';
import { useNow } from '../../shell/useNow.ts';
import { bubblePlaceClasses, gapAboveClasses, bubbleRowClasses, rowClasses } from './bubbleStyles.ts';
import { dayLabel } from './dayLabel.ts';
import type { DeliveryState } from './DeliveryStateIcon.tsx';
import type { EntryBoundaries } from '@nolo/client/chat/entryBoundaries';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import { describeSendFailure } from '../words/describeSendFailure.ts';
import { MessageBubble } from './MessageBubble.tsx';
import { MessageMenuButton } from './MessageMenuButton.tsx';
import { ReactionChips } from './ReactionChips.tsx';
import { applyOptimisticReaction } from './reactionGroups.ts';
import { useMessageRowTexts } from '../words/messageRowTexts.ts';
import { readSystemMessage } from '@nolo/rules';
import { formatClockTime, formatExactTime } from '../../i18n/dates.ts';
import { isSealed } from '@nolo/client/chat/sealedRows';
import { LazyRowRunLine, LazySealedLines } from '../sealed/LazySealedRows.tsx';
import type { RowRun } from '../words/rowNotes.ts';
import type { TimelineLine } from '../sealed/timelineLines.ts';
import { CallMessageRow } from '../calling/CallMessageRow.tsx';
import { summarizeMessage } from '../words/messagePreview.ts';
import { GroupCallMessageRow } from '../groupCalls/GroupCallMessageRow.tsx';
import { clipCombiningMarks } from '../words/text/clipCombiningMarks.ts';

const HeldLine = lazyOptional(async () => (await import('../sealed/HeldLine.tsx')).HeldLine);

export interface MessageRowProps extends EntryBoundaries {
  entry: MessageListEntry;
  /** Lines of a sealed conversation above it. */
  lines?: readonly TimelineLine[] | undefined;
  /** Rows in whose place it stands. */
  run?: RowRun | undefined;
  /** True for what the server says about members and settings, and no header. */
  unconfirmed?: boolean;
  onUnfold?: (keys: readonly string[]) => void;
  conversationId: string;
  selfId: string;
  /**
   * Author's name for screen readers. Sighted people see the author by the side of the bubble or by the name above it.
   */
  author: string;
  /** True if several people write on the other side, so that their names and pictures appear beside their messages. */
  several: boolean;
  delivery: DeliveryState | null;
  position: number;
  total: number;
  menuOpen: boolean;
  /** True if the message is selected. Null while no selection is in progress. */
  selected: boolean | null;
  /** True right after a jump to this message. */
  highlighted: boolean;
  onRetry: (clientMessageId: string) => void;
  onDiscard: (clientMessageId: string) => void;
}

const nothing = (): void => undefined;

/** Renders what belongs above a message: the day, the unread marker, and lines of a sealed conversation. */
function Above(
  props: Pick<EntryBoundaries, 'startsDay' | 'startsUnread'> & Pick<MessageRowProps, 'lines'> & { at: number },
) {
  const { at, lines, startsDay, startsUnread } = props;
  return (
    <>
      {startsDay && <DaySeparator at={at} />}
      {startsUnread && <UnreadMarker />}
      {lines && <LazySealedLines lines={lines} />}
    </>
  );
}

/** Row without anything of its own, which the list needs: another one shows it. */
export function HiddenRow(props: Parameters<typeof Above>[0]) {
  return (
    // The list ignores rows without height.
    <div className={classNames(rowClasses, 'min-h-px')}>
      <Above {...props} />
    </div>
  );
}

/** Renders one message and what belongs above it. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { entry, lines, run, startsDay, startsUnread, startsGroup, author, position, total, selected, highlighted } =
    props;
  const { t } = useMessageRowTexts();
  const { message } = entry;
  const own = entry.senderId === props.selfId;
  const isSystemMessage = message?.messageType === 'system';
  const isOpen = message !== null && !run && !isSealed(message);
  const selectable = selected !== null && isOpen && !isSystemMessage && message.deletedAt === null;
  return (
    <div
      className={classNames(
        'w-full transition-colors duration-150',
        highlighted && 'animate-highlight bg-accent-subtle',
        selected === true && 'bg-accent-subtle',
      )}
    >
      <div className={rowClasses}>
        <Above at={entry.at} lines={lines} startsDay={startsDay} startsUnread={startsUnread} />
        <article
          data-key={entry.key}
          aria-posinset={position}
          aria-setsize={total}
          aria-label={
            selectable
              ? `${author}, ${t(selected ? 'messages:selection.selected' : 'messages:selection.notSelected')}`
              : author
          }
          tabIndex={-1}
          className={classNames(
            'group/message touch-pan-y rounded-card focus-visible:outline-2 focus-visible:outline-focus',
            gapAboveClasses(startsGroup),
            selectable && 'flex cursor-pointer items-center gap-2',
          )}
        >
          {selectable && <SelectionBox selected={selected} />}
          <div className="min-w-0 flex-1">
            <Body {...props} own={own} />
            {entry.pending?.state === 'failed' && <Failed {...props} pending={entry.pending} />}
            {entry.pending?.heldBy && (
              <Suspense>
                <HeldLine conversationId={props.conversationId} {...entry.pending} heldBy={entry.pending.heldBy} />
              </Suspense>
            )}
          </div>
        </article>
      </div>
    </div>
  );
});

export function SelectionBox({ selected }: { selected: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'inline-flex size-6 shrink-0 items-center justify-center rounded-full border-2',
        selected ? 'border-accent bg-accent text-on-accent' : 'border-line-strong',
      )}
    >
      {selected && <Check className="size-4" strokeWidth={3} />}
    </span>
  );
}

function Body(props: MessageRowProps & { own: boolean }) {
  const { entry, own, run, unconfirmed = false, onUnfold = nothing } = props;
  const { message } = entry;
  if (run) return <LazyRowRunLine run={run} onUnfold={onUnfold} />;
  if (message?.messageType === 'system')
    return <SystemMessageRow message={message} own={own} unconfirmed={unconfirmed} />;
  return <Words {...props} />;
}

function Words(props: MessageRowProps & { own: boolean }) {
  const { entry, conversationId, own, several, startsGroup, endsGroup, author, menuOpen, selected, selfId } = props;
  const failed = entry.pending?.state === 'failed';
  const showsAuthorPicture = several && !own;
  return (
    <div className={bubbleRowClasses(own)}>
      {showsAuthorPicture && <AuthorPicture userId={entry.senderId} shown={endsGroup} />}
      <div data-bubble className={bubblePlaceClasses(own)}>
        <MessageBubble
          entry={entry}
          conversationId={conversationId}
          own={own}
          startsGroup={startsGroup}
          endsGroup={endsGroup}
          author={showsAuthorPicture && startsGroup ? author : null}
          delivery={failed ? null : props.delivery}
        />
        {entry.message?.deletedAt === null && <Reactions message={entry.message} selfId={selfId} own={own} />}
      </div>
      {entry.message !== null && selected === null && <MessageMenuButton open={menuOpen} variant="beside" />}
    </div>
  );
}

/** Author's picture, shown at the last message of a run. The other messages keep the space free. */
export function AuthorPicture({ userId, shown }: { userId: string; shown: boolean }) {
  const person = usePerson(userId);
  if (!shown) return <span className="w-8 shrink-0" />;
  return <Avatar name={person?.displayName ?? ''} imageUrl={person?.profileImageUrl} size={32} className="self-end" />;
}

export function Reactions({ message, selfId, own }: { message: Message; selfId: string; own: boolean }) {
  const update = useChatState((state) => state.optimisticUpdates[message.id]);
  const reactions = applyOptimisticReaction(message.reactions, update, selfId);
  return reactions.length > 0 && <ReactionChips reactions={reactions} selfId={selfId} own={own} />;
}

function Failed({
  pending,
  onRetry,
  onDiscard,
}: MessageRowProps & { pending: NonNullable<MessageListEntry['pending']> }) {
  const { t } = useMessageRowTexts();
  const { title, text } = describeSendFailure(pending, t);
  return (
    <div role="alert" className="mt-1 flex flex-wrap items-center justify-end gap-x-1 gap-y-0.5 text-13">
      <span className="me-1 inline-flex items-start gap-1.5 text-danger-text">
        <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>
          <span className="block font-medium">{title}</span>
          {text !== undefined && <span className="block">{text}</span>}
        </span>
      </span>
      <Button kind="quiet" size="small" onClick={() => onRetry(pending.clientMessageId)}>
        {t('common.retry')}
      </Button>
      <Button
        kind="quiet"
        size="small"
        className="text-danger-text!"
        onClick={() => onDiscard(pending.clientMessageId)}
      >
        {t('common.delete')}
      </Button>
    </div>
  );
}

export function DaySeparator({ at }: { at: number }) {
  const { t, locale } = useMessageRowTexts();
  return (
    <div className="flex justify-center pt-5 pb-2">
      <span className="rounded-full bg-sunken px-3 py-1 text-12 font-medium text-muted">
        {dayLabel(at, useNow(), locale, { today: t('chats.today'), yesterday: t('chats.yesterday') })}
      </span>
    </div>
  );
}

export function UnreadMarker() {
  const { t } = useMessageRowTexts();
  return (
    <div className="flex items-center gap-3 pt-4 pb-1 text-12 font-semibold text-accent-text">
      <span className="h-px flex-1 bg-accent-line" />
      {t('conversation:unreadAbove')}
      <span className="h-px flex-1 bg-accent-line" />
    </div>
  );
}

/** System message: a call, or a change to the conversation itself. */
function SystemMessageRow({ message, own, unconfirmed }: { message: Message; own: boolean; unconfirmed: boolean }) {
  const { t, locale, names } = useMessageRowTexts();
  const systemMessage = readSystemMessage(message.content);
  if (systemMessage?.kind === 'call') return <CallMessageRow message={message} own={own} />;
  if (systemMessage?.kind === 'group_call')
    return <GroupCallMessageRow message={message} going={systemMessage.durationSeconds === null} />;
  const at = Date.parse(message.createdAt);
  const words = clipCombiningMarks(summarizeMessage(message, t, names));
  const text = unconfirmed ? t('conversation:serverSays', { text: words }) : words;
  return (
    <div
      data-bubble
      className="mx-auto flex w-fit max-w-full items-baseline justify-center gap-2 px-4 py-0.5 text-13 text-muted"
    >
      {systemMessage?.kind === 'message_pinned' ? (
        <button
          type="button"
          data-quote={systemMessage.seq}
          className="min-w-0 rounded-control text-center wrap-anywhere underline decoration-line-strong underline-offset-2 hover:text-ink"
        >
          {text}
        </button>
      ) : (
        <span dir="auto" className="min-w-0 text-center text-balance wrap-anywhere">
          {text}
        </span>
      )}
      <time dateTime={message.createdAt} title={formatExactTime(at, locale)} className="tabular shrink-0 text-12">
        {formatClockTime(at, locale)}
      </time>
    </div>
  );
}
