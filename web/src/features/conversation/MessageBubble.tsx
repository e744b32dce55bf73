import { Ban } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { clockTime, exactTime, useLocale } from '../../i18n/locale.ts';
import { classNames } from '../../ui/classNames.ts';
import { messageSummary } from '../chats/messagePreview.ts';
import { DeliveryMark } from './DeliveryMark.tsx';
import type { DeliveryState } from './DeliveryMark.tsx';
import { emojiCount } from './emojiOnly.ts';
import type { Entry } from './entries.ts';
import { MessageText } from './MessageText.tsx';

export interface MessageBubbleProps {
  entry: Entry;
  own: boolean;
  startsGroup: boolean;
  endsGroup: boolean;
  /** Null for another's message, and for one that was refused. */
  delivery: DeliveryState | null;
}

/** Time, edited mark and ticks, in the bubble's corner beside the last line where there is room for them. */
function Corner({ entry, delivery, loose }: { entry: Entry; delivery: DeliveryState | null; loose?: 'start' | 'end' }) {
  const { t, i18n } = useTranslation();
  const locale = useLocale();
  const edited = entry.message !== null && entry.message.editedAt !== null && entry.message.deletedAt === null;
  return (
    <span className={loose ? 'mt-0.5' : 'float-end ms-2.5 mt-[7px] -mb-1'}>
      <span
        // Of its own direction, so that it takes no part in finding out the message's.
        dir={i18n.dir()}
        className={classNames(
          'tabular flex h-4 items-center gap-1 text-12 whitespace-nowrap text-muted not-italic select-none',
          loose === 'end' && 'justify-end',
        )}
      >
        {edited && <span>{t('conversation.edited')}</span>}
        <time dateTime={new Date(entry.at).toISOString()} title={exactTime(entry.at, locale)}>
          {clockTime(entry.at, locale)}
        </time>
        {delivery !== null && <DeliveryMark state={delivery} />}
      </span>
    </span>
  );
}

/** A message's words on their surface. */
export function MessageBubble({ entry, own, startsGroup, endsGroup, delivery }: MessageBubbleProps) {
  const { t } = useTranslation();
  const { message } = entry;
  const deleted = message !== null && message.deletedAt !== null;
  const content = entry.pending?.content ?? message?.content ?? '';
  const words = message && message.messageType !== 'text' && content === '' ? messageSummary(message, t) : content;
  const emoji = deleted ? 0 : emojiCount(words);

  if (emoji > 0) {
    return (
      <div className="flex flex-col px-1">
        <span dir="auto" className={emoji === 1 ? 'text-[3rem] leading-[1.15]' : 'text-[2.125rem] leading-[1.2]'}>
          {words}
        </span>
        <Corner entry={entry} delivery={delivery} loose={own ? 'end' : 'start'} />
      </div>
    );
  }
  return (
    <div
      dir="auto"
      className={classNames(
        'flow-root max-w-full min-w-0 rounded-bubble px-3 pt-[7px] pb-[7px] text-start text-15 pointer-coarse:text-16',
        'wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext] pointer-coarse:select-none',
        deleted
          ? 'border border-line text-muted italic'
          : own
            ? 'bg-bubble-own text-ink'
            : 'bg-bubble-other text-ink shadow-[0_1px_1.5px_rgb(50_40_25/0.07)]',
        entry.pending?.state === 'failed' && 'outline-1 outline-danger/60',
      )}
      style={cornersOf(own, startsGroup, endsGroup)}
    >
      {deleted ? (
        <>
          <Ban aria-hidden="true" className="me-1.5 inline size-[15px] align-[-2px]" />
          {t('conversation.deleted')}
        </>
      ) : (
        <MessageText text={words} />
      )}
      <Corner entry={entry} delivery={deleted ? null : delivery} />
    </div>
  );
}

/** Inner corners of a run are tight, so that it reads as one. Physical names, for a bubble has its own direction. */
function cornersOf(own: boolean, startsGroup: boolean, endsGroup: boolean): Record<string, string> {
  const right = own === (document.documentElement.dir !== 'rtl');
  const tight = '6px';
  return {
    ...(!startsGroup && { [right ? 'borderTopRightRadius' : 'borderTopLeftRadius']: tight }),
    ...(!endsGroup && { [right ? 'borderBottomRightRadius' : 'borderBottomLeftRadius']: tight }),
  };
}
