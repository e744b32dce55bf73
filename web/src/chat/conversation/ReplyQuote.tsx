import type { Message } from '@nolo/api';
import { cutText } from '@nolo/rules';
import { useEffect, type ReactNode } from 'react';
import { useChat, useChatState } from '../context/chatContext.ts';
import { usePeopleNames, type PeopleNames } from '../words/peopleNames.ts';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import { hasDisappeared } from '@nolo/client/chat/expiry';
import { findQuotedMessage } from '@nolo/client/chat/originals';
import { summarizeMessage } from '../words/messagePreview.ts';
import { mediaOfMessage } from '@nolo/client/chat/shownMedia';
import { clipCombiningMarks } from '../words/text/clipCombiningMarks.ts';
import { useMessageRowTexts } from '../words/messageRowTexts.ts';
import type { StatusQuote } from '@nolo/client/chat/statusQuote';
import { useNow } from '../../shell/useNow.ts';
import { classNames } from '../../ui/classNames.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Translate } from '../../i18n/texts.ts';
import { callTexts } from '../words/callTexts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

/** Maximum characters of a quote, enough for two lines. */
const maxQuoteLength = 240;

type ReplyTo = NonNullable<Message['replyTo']>;

/** Returns a one-line excerpt of a message. */
export function useMessageExcerpt(message: Message | null | undefined): string {
  const { t } = useTexts(callTexts, messagesTexts);
  return excerptOf(message, t, usePeopleNames());
}

function excerptOf(
  message: Message | null | undefined,
  t: Translate<typeof callTexts | typeof messagesTexts>,
  names: PeopleNames,
): string {
  if (message === undefined) return '…';
  if (message === null || hasDisappeared(message)) return t('messages:quoteGone');
  return clipCombiningMarks(cutText(summarizeMessage(message, t, names), maxQuoteLength));
}

interface ReplyQuoteProps {
  conversationId: string;
  replyTo: ReplyTo;
  /** False outside of the message list, which handles presses. */
  isLinked?: boolean;
}

const quoteClasses =
  'flex min-w-0 items-center gap-2 rounded-control border-s-3 border-accent bg-hover py-1 whitespace-normal ps-2 pe-2.5 text-start text-13';

/** Quotes the message that this one replies to, and links to it. */
export function ReplyQuote({ conversationId, replyTo, isLinked = true }: ReplyQuoteProps) {
  const { t, names, nameOf } = useMessageRowTexts();
  const { engine } = useChat();
  const { seq, messageId, senderId } = replyTo;
  const found = useChatState((state) => findQuotedMessage(state, conversationId, seq));
  // A seal covers the message's id. Its place and author are what the server says.
  const original = found && found.id !== messageId ? null : found;
  const unknown = original === undefined;
  useEffect(() => {
    if (unknown) getConversationActions(engine).wantOriginal(conversationId, seq);
  }, [engine, conversationId, seq, unknown]);
  const text = excerptOf(original, t, names);
  const media = original ? mediaOfMessage(original) : null;
  const still = media?.kind === 'image' ? media.url : media?.kind === 'video' ? media.previewUrl : null;
  const name = nameOf(original?.senderId ?? senderId);
  const quote = (
    <>
      <QuoteLines title={clipCombiningMarks(name)} {...(isLinked && { hint: t('messages:quoteJump') })}>
        {text}
        {unknown && <span className="sr-only">{t('messages:quoteLoading')}</span>}
      </QuoteLines>
      {still !== null && <QuotePicture url={still} />}
    </>
  );
  if (!isLinked) return <blockquote className={quoteClasses}>{quote}</blockquote>;
  return (
    <button
      type="button"
      tabIndex={-1}
      // The list handles the press and jumps to the message.
      data-quote={seq}
      className={classNames(quoteClasses, '-mx-1 mb-1 w-[calc(100%+0.5rem)] hover:bg-pressed')}
    >
      {quote}
    </button>
  );
}

const minuteMs = 60_000;

/** Quotes the status update that a message replies to, until the update expires. */
export function StatusQuoteCard({ quote }: { quote: StatusQuote }) {
  const { t, names, nameOf } = useMessageRowTexts();
  const { userId, mediaType, content, backgroundColor, pictureUrl, expiresAt } = quote;
  // `expiresAt` is accurate to the minute. Expire a little early rather than late.
  const gone = Date.parse(expiresAt) <= useNow() + minuteMs;
  const kind =
    mediaType === 'text' ? '' : t(mediaType === 'image' ? 'messages:statusQuote.photo' : 'messages:statusQuote.video');
  return (
    <span className="-mx-1 mb-1 flex w-[calc(100%+0.5rem)] min-w-0 items-center gap-2 rounded-control border-s-3 border-accent bg-hover py-1 ps-2 pe-2.5 text-start text-13 whitespace-normal">
      <QuoteLines
        title={
          userId === names.selfId
            ? t('messages:statusQuote.own')
            : t('messages:statusQuote.of', { name: clipCombiningMarks(nameOf(userId)) })
        }
      >
        {gone ? t('messages:statusQuote.gone') : content === '' ? kind : clipCombiningMarks(content)}
      </QuoteLines>
      {!gone && pictureUrl !== null && <QuotePicture url={pictureUrl} />}
      {!gone && mediaType === 'text' && (
        <span
          aria-hidden="true"
          className="size-9 shrink-0 rounded-[6px] border border-line"
          style={{ backgroundColor }}
        />
      )}
    </span>
  );
}

function QuoteLines({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <span className="min-w-0 flex-1">
      <span dir="auto" className="block truncate font-semibold text-accent-text">
        {title}
      </span>
      <span dir="auto" className="line-clamp-2 wrap-anywhere text-muted">
        {children}
      </span>
      {hint !== undefined && <span className="sr-only">{hint}</span>}
    </span>
  );
}

/** Picture as high as the two lines beside it, so that nothing moves when it arrives. */
function QuotePicture({ url }: { url: string }) {
  return (
    <img
      src={`${url}?size=320`}
      alt=""
      decoding="async"
      className="size-9 shrink-0 rounded-[6px] bg-sunken object-cover"
    />
  );
}
