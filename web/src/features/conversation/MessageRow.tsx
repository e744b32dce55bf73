import { CircleAlert, EllipsisVertical } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../i18n/locale.ts';
import { Button } from '../../ui/Button.tsx';
import { classNames } from '../../ui/classNames.ts';
import { CallNote } from '../calls/CallNote.tsx';
import { useNow } from '../chats/useNow.ts';
import { dayLabel } from './dayLabel.ts';
import type { DeliveryState } from './DeliveryMark.tsx';
import type { Entry, EntryPlace } from './entries.ts';
import { failureText } from './failureText.ts';
import { MessageBubble } from './MessageBubble.tsx';

export interface MessageRowProps extends EntryPlace {
  entry: Entry;
  own: boolean;
  /** Who wrote it, for screen readers; sighted people see it from the side it stands on. */
  author: string;
  delivery: DeliveryState | null;
  position: number;
  total: number;
  menuOpen: boolean;
  onRetry: (clientMessageId: string) => void;
  onDiscard: (clientMessageId: string) => void;
}

/** One message with what stands above it: a day, the unread marker. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { entry, own, startsDay, startsUnread, startsGroup, author, position, total, menuOpen } = props;
  const { t } = useTranslation();
  const failed = entry.pending?.state === 'failed';
  return (
    <div className="mx-auto w-full max-w-200 px-3 sm:px-5">
      {startsDay && <DaySeparator at={entry.at} />}
      {startsUnread && <UnreadMarker />}
      <article
        data-key={entry.key}
        aria-posinset={position}
        aria-setsize={total}
        aria-label={author}
        tabIndex={-1}
        className={classNames(
          'group/message rounded-card focus-visible:outline-2 focus-visible:outline-focus',
          startsGroup ? 'pt-2' : 'pt-[3px]',
        )}
      >
        {entry.message?.messageType === 'system' && <CallNote message={entry.message} own={own} />}
        <div
          hidden={entry.message?.messageType === 'system'}
          className={classNames('flex items-center gap-1', own ? 'flex-row-reverse' : 'flex-row')}
        >
          <div
            data-bubble
            className={classNames(
              'flex max-w-[min(85%,34rem)] min-w-0 flex-col sm:max-w-[min(75%,34rem)]',
              own ? 'items-end' : 'items-start',
            )}
          >
            <MessageBubble
              entry={entry}
              own={own}
              startsGroup={startsGroup}
              endsGroup={props.endsGroup}
              delivery={failed ? null : props.delivery}
            />
          </div>
          {entry.message !== null && (
            <button
              type="button"
              tabIndex={-1}
              data-menu
              aria-label={t('conversation.menu')}
              aria-haspopup="menu"
              className={classNames(
                'inline-flex size-8 shrink-0 items-center justify-center rounded-full text-muted hover:bg-hover hover:text-ink pointer-coarse:hidden',
                !menuOpen && 'opacity-0 group-hover/message:opacity-100 group-focus/message:opacity-100',
              )}
            >
              <EllipsisVertical aria-hidden="true" className="size-[18px]" />
            </button>
          )}
        </div>
        {failed && entry.pending && <Failed {...props} pending={entry.pending} />}
      </article>
    </div>
  );
});

function Failed({ pending, onRetry, onDiscard }: MessageRowProps & { pending: NonNullable<Entry['pending']> }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className="mt-1 flex flex-wrap items-center justify-end gap-x-1 gap-y-0.5 text-13">
      <span className="me-1 inline-flex items-center gap-1.5 text-danger-text">
        <CircleAlert aria-hidden="true" className="size-4" />
        {failureText(pending.reason, t)}
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

function DaySeparator({ at }: { at: number }) {
  const { t } = useTranslation();
  const locale = useLocale();
  return (
    <div className="flex justify-center pt-5 pb-2">
      <span className="rounded-full bg-sunken px-3 py-1 text-12 font-medium text-muted">
        {dayLabel(at, useNow(), locale, { today: t('chats.today'), yesterday: t('chats.yesterday') })}
      </span>
    </div>
  );
}

function UnreadMarker() {
  const { t } = useTranslation();
  return (
    <div className="flex items-center gap-3 pt-4 pb-1 text-12 font-semibold text-accent-text">
      <span className="h-px flex-1 bg-accent-line" />
      {t('conversation.unreadAbove')}
      <span className="h-px flex-1 bg-accent-line" />
    </div>
  );
}
