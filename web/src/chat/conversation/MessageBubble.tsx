import type { Message } from '@nolo/api';
import { Ban, Forward, Pin, Star, Timer, UserCheck } from 'lucide-react';
import { useMemo } from 'react';
import { useChatState } from '../context/chatContext.ts';
import { formatClockTime, formatExactTime } from '../../i18n/dates.ts';
import { tintOf } from '../../ui/Avatar.tsx';
import { classNames } from '../../ui/classNames.ts';
import { summarizeMessage } from '../words/messagePreview.ts';
import { toMediaDisplaySize, LazyMediaBody } from './LazyMediaBody.tsx';
import { approverOf, openingOf } from '@nolo/client/chat/rowOpening';
import { isBeingOpened, isSealed } from '@nolo/client/chat/sealedRows';
import { mediaOf } from '@nolo/client/chat/shownMedia';
import { clipCombiningMarks } from '../words/text/clipCombiningMarks.ts';
import { MessageText } from '../words/text/MessageText.tsx';
import { readStatusQuote } from '@nolo/client/chat/statusQuote';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import { Transcript } from '../voice/Transcript.tsx';
import {
  floatingTimeAndStatusClasses,
  bubbleClasses,
  bubbleSurface,
  timeAndStatusClasses,
  cornersOf,
  textPaddingClasses,
} from './bubbleStyles.ts';
import { DeliveryStateIcon, type DeliveryState } from './DeliveryStateIcon.tsx';
import { countIfEmojiOnly } from './emojiOnly.ts';
import { readLinkPreview, type LinkPreviewData } from './linkPreview.ts';
import { ReplyQuote, StatusQuoteCard } from './ReplyQuote.tsx';
import { useMessageRowTexts } from '../words/messageRowTexts.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useIsBarred } from '../../session/barredHosts.ts';

export interface MessageBubbleProps {
  entry: MessageListEntry;
  conversationId: string;
  own: boolean;
  startsGroup: boolean;
  endsGroup: boolean;
  /** Author, if not obvious from the side of the bubble. */
  author: string | null;
  /** Null for messages of others, and for a refused one. */
  delivery: DeliveryState | null;
}

const noMentions: readonly string[] = [];
/**
 * Limit of the font's contextual alternates, which look at the neighbors of every character, a line at a time: for a
 * text built to exploit this, the cost grows with the square of its length. Longer texts do without.
 */
const longText = 1_000;

const places = {
  beside: floatingTimeAndStatusClasses,
  start: 'mt-0.5',
  end: 'mt-0.5',
  /** Placed in the last line of a file or a voice note, whose end is empty. */
  tucked: 'pointer-events-none -mt-4 flex justify-end',
  over: 'pointer-events-none absolute end-2.5 bottom-2.5 rounded-full bg-[rgb(0_0_0/0.55)] px-2 py-0.5',
};

interface CornerProps {
  entry: MessageListEntry;
  delivery: DeliveryState | null;
  /** Place of the corner: on its own line, next to a medium's details, or over a picture. */
  loose?: 'start' | 'end' | 'tucked' | 'over';
}

/** Time, icons and ticks, in the bubble's corner next to the last line if there is room. */
export function BubbleTimeAndStatus({ entry, delivery, loose }: CornerProps) {
  const { t, dir, locale } = useMessageRowTexts();
  const message = entry.message?.deletedAt === null ? entry.message : null;
  return (
    // Next to a medium, which follows the interface's direction, regardless of a caption's.
    <span data-unsearched className={places[loose ?? 'beside']} {...(loose === 'tucked' && { dir })}>
      <span
        // Has its own direction, so that it does not affect the detected direction of the message.
        dir={dir}
        className={classNames(
          timeAndStatusClasses,
          loose === 'over'
            ? 'text-[#fff] [&_[data-state=read]]:bg-[#5fe3b5] [&_[data-state=read]]:text-on-accent'
            : 'text-muted',
          loose === 'end' && 'justify-end',
        )}
      >
        {message && <MessageStatusIcons message={message} />}
        {message && isOutOfOrder(message) && (
          <span title={t('conversation:outOfOrderWhy')}>{t('conversation:outOfOrder')}</span>
        )}
        {message && message.editedAt !== null && <span>{t('conversation:edited')}</span>}
        <time dateTime={new Date(entry.at).toISOString()} title={formatExactTime(entry.at, locale)}>
          {formatClockTime(entry.at, locale)}
        </time>
        {delivery !== null && <DeliveryStateIcon state={delivery} />}
      </span>
    </span>
  );
}

function isOutOfOrder(message: Message): boolean {
  const opening = openingOf(message);
  return opening?.state === 'open' && opening.outOfOrder;
}

/** Icons: pinned for everyone, starred by the user, disappearing at a time. */
function MessageStatusIcons({ message }: { message: Message }) {
  const { t, locale } = useMessageRowTexts();
  const starred = useChatState((state) => state.starred[message.id] === true);
  const requested = useChatState((state) => state.optimisticUpdates[message.id]?.pinned);
  const pinned = requested ?? message.pinnedAt !== null;
  const expiry = message.expiresAt === null ? null : formatExactTime(Date.parse(message.expiresAt), locale);
  const iconProps = { role: 'img', 'aria-hidden': false, className: 'size-3.5 shrink-0' } as const;
  return (
    <>
      {pinned && <Pin {...iconProps} aria-label={t('messages:pinnedMark')} />}
      {starred && <Star {...iconProps} aria-label={t('messages:starredMark')} fill="currentColor" />}
      {expiry !== null && (
        <span title={t('messages:timer.mark', { time: expiry })} className="inline-flex">
          <Timer {...iconProps} aria-label={t('messages:timer.mark', { time: expiry })} />
        </span>
      )}
    </>
  );
}

/** Message text in its bubble, with the quoted message, the link preview, and the forwarding note. */
export function MessageBubble(props: MessageBubbleProps) {
  const { entry, conversationId, own, startsGroup, endsGroup, author, delivery } = props;
  const { t, dir, names, mentioned } = useMessageRowTexts();
  const { message, pending } = entry;
  const deleted = message !== null && message.deletedAt !== null;
  const content = pending?.content ?? message?.content ?? '';
  const sealed = message !== null && isSealed(message);
  const media = deleted || sealed ? null : mediaOf(entry);
  const isPicture = media?.kind === 'image' || media?.kind === 'video';
  const words =
    !media && message && (sealed || (message.messageType !== 'text' && content === ''))
      ? summarizeMessage(message, t, names)
      : content;
  const mentions = deleted ? noMentions : (message?.mentions ?? pending?.extras?.mentions ?? noMentions);
  const people = useMemo(() => mentioned(mentions), [mentioned, mentions]);
  const replyTo = deleted ? null : (message?.replyTo ?? pending?.extras?.replyTo ?? null);
  const forwarded = !deleted && (message?.forwarded ?? pending?.extras?.forwarded) === true;
  const approver = deleted || message === null ? null : approverOf(message);
  const preview = deleted ? null : readLinkPreview(message?.linkPreview ?? pending?.extras?.linkPreview ?? null, words);
  const quote = deleted ? null : readStatusQuote(message?.extra ?? pending?.extras?.extra);
  const hasHead = author !== null || forwarded || replyTo !== null || quote !== null || approver !== null;
  const plain = !deleted && !hasHead;
  const emoji = plain && !media ? countIfEmojiOnly(words) : 0;
  const mentionsSelf = people.some((person) => person.self);

  if (message && isBeingOpened(message)) return <ClosedBubble {...props} />;
  if (emoji > 0) {
    return (
      <div className="flex flex-col overflow-clip px-1">
        <span
          data-searched
          dir="auto"
          className={emoji === 1 ? 'text-[3rem] leading-[1.15]' : 'text-[2.125rem] leading-[1.2]'}
        >
          {words}
        </span>
        <BubbleTimeAndStatus entry={entry} delivery={delivery} loose={own ? 'end' : 'start'} />
      </div>
    );
  }
  const head = hasHead && (
    <>
      {author !== null && (
        <span dir="auto" className={classNames('mb-0.5 block truncate text-13 font-semibold', tintOf(author).text)}>
          {clipCombiningMarks(author)}
        </span>
      )}
      {forwarded && (
        <span dir={dir} className="mb-0.5 flex items-center gap-1 text-12 text-muted italic">
          <Forward aria-hidden="true" className="size-3.5 rtl:-scale-x-100" />
          {t('messages:forwarded')}
        </span>
      )}
      {approver !== null && <ApprovedBy userId={approver} />}
      {replyTo && <ReplyQuote conversationId={conversationId} replyTo={replyTo} />}
      {quote && <StatusQuoteCard quote={quote} />}
    </>
  );
  const transcription = media?.transcription ?? null;
  const isBare = media !== null && !isPicture && words === '' && preview === null;
  const corner = <BubbleTimeAndStatus entry={entry} delivery={deleted ? null : delivery} />;
  const foot = (
    <>
      {deleted && message && (
        <>
          <Ban aria-hidden="true" className="me-1.5 inline size-[15px] align-[-2px]" />
          <Deleted message={message} />
        </>
      )}
      {!deleted && words !== '' && (
        <div data-searched className="[unicode-bidi:plaintext]">
          <MessageText text={words} people={people} end={preview ? undefined : corner} />
        </div>
      )}
      {preview && <LinkPreviewCard preview={preview} />}
      {!isBare && (deleted || words === '' || preview) && corner}
      {isBare && transcription === null && <BubbleTimeAndStatus entry={entry} delivery={delivery} loose="tucked" />}
    </>
  );
  return (
    <div
      dir="auto"
      className={classNames(
        bubbleClasses,
        isPicture ? 'p-1' : textPaddingClasses,
        deleted || sealed ? 'border border-line text-muted italic' : bubbleSurface(own),
        words.length > longText && '[text-rendering:optimizeSpeed]',
        // Placed on the author's side, regardless of the text direction.
        mentionsSelf && !own && classNames('border-accent', dir === 'rtl' ? 'border-r-3' : 'border-l-3'),
        pending?.state === 'failed' && 'outline-1 outline-danger/60',
      )}
      style={{
        ...cornersOf(own, startsGroup, endsGroup),
        // A caption below a picture is no wider than the picture.
        ...(isPicture && { width: toMediaDisplaySize(media).width + 8 }),
      }}
    >
      {isPicture && hasHead ? <div className="px-2 pt-1">{head}</div> : head}
      {media && (
        <div dir={dir}>
          <LazyMediaBody entry={entry} media={media} conversationId={conversationId} own={own} />
        </div>
      )}
      {transcription !== null && (
        <Transcript key={transcription} text={transcription} corner={isBare ? corner : null} />
      )}
      {!isPicture && foot}
      {isPicture && words !== '' && <div className="flow-root px-2 pt-1 pb-0.5">{foot}</div>}
      {isPicture && words === '' && <BubbleTimeAndStatus entry={entry} delivery={delivery} loose="over" />}
    </div>
  );
}

/** Names the admin who approved a message that waited. */
function ApprovedBy({ userId }: { userId: string }) {
  const { t, dir, nameOf, names } = useMessageRowTexts();
  return (
    <span dir={dir} className="mb-0.5 flex items-start gap-1 text-12 text-muted italic">
      <UserCheck aria-hidden="true" className="mt-px size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {userId === names.selfId
          ? t('messages:approvedByYou')
          : t('messages:approvedBy', { name: clipCombiningMarks(nameOf(userId)) })}
      </span>
    </span>
  );
}

/** Bubble whose text is being opened, as high as one line. */
function ClosedBubble({ entry, own, startsGroup, endsGroup }: MessageBubbleProps) {
  const { t } = useMessageRowTexts();
  return (
    <div
      className={classNames(bubbleClasses, textPaddingClasses, bubbleSurface(own))}
      style={cornersOf(own, startsGroup, endsGroup)}
    >
      <span className="sr-only">{t('chats.opening')}</span>
      <span className="flex h-[1.4em] items-center">
        <Skeleton className="h-3 w-36" />
        <BubbleTimeAndStatus entry={entry} delivery={null} loose="end" />
      </span>
    </div>
  );
}

/** Says who deleted a message, if that is known and not obvious. */
function Deleted({ message }: { message: Message }) {
  const { t, nameOf, names } = useMessageRowTexts();
  const opening = openingOf(message);
  const by = opening?.state === 'deleted' && opening.by !== message.senderId ? opening.by : null;
  if (by === null) return t('conversation:deleted');
  if (by === names.selfId) return t('conversation:deletedByYou');
  return t('conversation:deletedBy', { name: clipCombiningMarks(nameOf(by)) });
}

/** Preview that the sender's client created for a link. The address is the link's own, so it shows where it leads. */
function LinkPreviewCard({ preview }: { preview: LinkPreviewData }) {
  const { t } = useMessageRowTexts();
  const { url, title, description, image } = preview;
  const { host } = new URL(url);
  // The link in the text shows the warning.
  if (useIsBarred(url)) return null;
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={url}
      aria-label={`${title}. ${t('messages:preview.open', { host })}`}
      dir="auto"
      className="-mx-1 mt-1 mb-0.5 flex max-w-full min-w-0 overflow-hidden rounded-card border border-line bg-panel text-ink no-underline hover:bg-hover"
    >
      {image !== undefined && (
        <img src={image} alt="" decoding="async" className="size-20 shrink-0 bg-sunken object-cover" />
      )}
      <span data-searched className="flex min-w-0 flex-1 flex-col justify-center px-3 py-1.5">
        <span className="line-clamp-2 text-14 font-semibold wrap-anywhere">{clipCombiningMarks(title)}</span>
        {description !== undefined && (
          <span className="line-clamp-1 text-13 wrap-anywhere text-muted">{clipCombiningMarks(description)}</span>
        )}
        <span className="truncate text-12 text-muted">
          <bdi dir="ltr">{host}</bdi>
        </span>
      </span>
    </a>
  );
}
