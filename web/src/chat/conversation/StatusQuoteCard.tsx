import type { StatusQuote } from '@nolo/client/chat/statusQuote';
import { useNow } from '../../shell/useNow.ts';
import { clipCombiningMarks } from '../words/text/clipCombiningMarks.ts';
import { useMessageRowTexts } from '../words/messageRowTexts.ts';

const minuteMs = 60_000;

/** Quotes the status update that a message replies to, until the update expires. */
export function StatusQuoteCard({ quote }: { quote: StatusQuote }) {
  const { t, names, nameOf } = useMessageRowTexts();
  const { userId, mediaType, content, backgroundColor, pictureUrl, expiresAt } = quote;
  // `expiresAt` is accurate to the minute. Expire a little early rather than late.
  const gone = Date.parse(expiresAt) <= useNow() + minuteMs;
  const kind =
    mediaType === 'text' ? '' : t(mediaType === 'image' ? 'messages.statusQuote.photo' : 'messages.statusQuote.video');
  return (
    <span className="-mx-1 mb-1 flex w-[calc(100%+0.5rem)] min-w-0 items-center gap-2 rounded-control border-s-3 border-accent bg-hover py-1 ps-2 pe-2.5 text-start text-13 whitespace-normal">
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate font-semibold text-accent-text">
          {userId === names.selfId
            ? t('messages.statusQuote.own')
            : t('messages.statusQuote.of', { name: clipCombiningMarks(nameOf(userId)) })}
        </span>
        <span dir="auto" className="line-clamp-2 wrap-anywhere text-muted">
          {gone ? t('messages.statusQuote.gone') : content === '' ? kind : clipCombiningMarks(content)}
        </span>
      </span>
      {!gone && pictureUrl !== null && (
        <img
          src={`${pictureUrl}?size=320`}
          alt=""
          decoding="async"
          className="size-9 shrink-0 rounded-[6px] bg-sunken object-cover"
        />
      )}
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
