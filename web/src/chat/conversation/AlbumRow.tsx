import { Forward } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { tintOf } from '../../ui/Avatar.tsx';
import { classNames } from '../../ui/classNames.ts';
import { captionOf } from '@nolo/client/chat/album';
import { AlbumGrid, albumWidth } from '../media/AlbumGrid.tsx';
import { clipCombiningMarks } from '../words/text/clipCombiningMarks.ts';
import { MessageText } from '../words/text/MessageText.tsx';
import { toDeliveryState } from './DeliveryStateIcon.tsx';
import type { EntryBoundaries } from '@nolo/client/chat/entryBoundaries';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import { BubbleTimeAndStatus } from './MessageBubble.tsx';
import type { MessageListContext } from './messageListContext.ts';
import { LazySealedLines } from '../sealed/LazySealedRows.tsx';
import { MessageMenuButton } from './MessageMenuButton.tsx';
import { AuthorPicture, DaySeparator, Reactions, SelectionBox, UnreadMarker } from './MessageRow.tsx';
import { useMessageRowTexts } from '../words/messageRowTexts.ts';

const noMentions: readonly string[] = [];

export interface AlbumRowProps extends EntryBoundaries {
  /** Pictures shown together. */
  entries: readonly MessageListEntry[];
  context: MessageListContext;
  /** Position of the first one. */
  position: number;
}

/**
 * Consecutive pictures of one sender, in one grid: each is a message with its own menu. The text of the first picture
 * is shown below all of them.
 */
export function AlbumRow(props: AlbumRowProps) {
  const { entries, context, position, startsDay, startsUnread, startsGroup, endsGroup } = props;
  const { t, dir, mentioned } = useMessageRowTexts();
  const { conversation, selfId, selected, highlightedKey, menuKey } = context;
  const [first] = entries;
  const last = entries.at(-1);
  const lines = first && context.sealed.lines.above.get(first.key);
  const mentions = first?.message?.mentions ?? first?.pending?.extras?.mentions ?? noMentions;
  const people = useMemo(() => mentioned(mentions), [mentioned, mentions]);
  if (!first || !last) return null;
  const caption = captionOf(first);
  const corner = (loose?: 'over') => (
    <BubbleTimeAndStatus
      entry={last}
      delivery={toDeliveryState(last, conversation, selfId)}
      {...(loose && { loose })}
    />
  );
  const own = first.senderId === selfId;
  const author = context.nameOf(first.senderId);
  const showsAuthorPicture = conversation.type !== 'direct' && !own;
  const forwarded = first.message?.forwarded === true;

  const frame = (entry: MessageListEntry, picture: ReactNode, className: string): ReactNode => {
    const chosen = selected?.has(entry.key) === true;
    const selectable = selected !== null && entry.message !== null;
    return (
      <article
        key={entry.key}
        data-key={entry.key}
        aria-posinset={position + entries.indexOf(entry)}
        aria-setsize={context.total}
        aria-label={
          selectable ? `${author}, ${t(`messages:selection.${chosen ? 'selected' : 'notSelected'}`)}` : author
        }
        tabIndex={-1}
        className={classNames(
          'group/picture relative touch-pan-y overflow-hidden focus-visible:outline-2 focus-visible:outline-offset-[-3px] focus-visible:outline-focus',
          className,
          highlightedKey === entry.key && 'animate-pulse',
        )}
      >
        {picture}
        {entry === last && caption === '' && corner('over')}
        {selectable && (
          <span className="pointer-events-none absolute end-1.5 top-1.5 rounded-full bg-[rgb(0_0_0/0.4)]">
            <SelectionBox selected={chosen} />
          </span>
        )}
        {entry.message !== null && selected === null && (
          <MessageMenuButton open={menuKey === entry.key} variant="over" />
        )}
        {entry.message !== null && entry.message.reactions.length > 0 && (
          <span className="absolute start-0 bottom-1 z-1">
            <Reactions message={entry.message} selfId={selfId} own={false} />
          </span>
        )}
      </article>
    );
  };

  return (
    <div className="mx-auto w-full max-w-200 px-3 sm:px-5">
      {startsDay && <DaySeparator at={first.at} />}
      {startsUnread && <UnreadMarker />}
      {lines && <LazySealedLines lines={lines} />}
      <div
        className={classNames(
          'flex items-center gap-1',
          own ? 'flex-row-reverse' : 'flex-row',
          startsGroup ? 'pt-2' : 'pt-[3px]',
        )}
      >
        {showsAuthorPicture && <AuthorPicture userId={first.senderId} shown={endsGroup} />}
        <div
          data-bubble
          className={classNames(
            'relative max-w-[min(85%,34rem)] min-w-0 rounded-bubble p-1 sm:max-w-[min(75%,34rem)]',
            own
              ? 'bg-bubble-own [--nolo-muted:var(--nolo-muted-own)]'
              : 'bg-bubble-other shadow-[0_1px_1.5px_rgb(50_40_25/0.07)]',
          )}
        >
          {showsAuthorPicture && startsGroup && (
            <span
              dir="auto"
              className={classNames('block truncate px-2 pt-0.5 pb-1 text-13 font-semibold', tintOf(author).text)}
            >
              {clipCombiningMarks(author)}
            </span>
          )}
          {forwarded && (
            <span dir={dir} className="flex items-center gap-1 px-2 pb-1 text-12 text-muted italic">
              <Forward aria-hidden="true" className="size-3.5 rtl:-scale-x-100" />
              {t('messages:forwarded')}
            </span>
          )}
          <AlbumGrid entries={entries} conversationId={conversation.id} frame={frame} />
          {caption !== '' && (
            // A feed consists of articles: the text and the time also belong to the first message.
            <article
              aria-label={author}
              aria-posinset={position}
              aria-setsize={context.total}
              dir="auto"
              // Pressing it selects the message that it belongs to.
              data-of={first.key}
              data-searched
              style={{ maxWidth: albumWidth }}
              className="flow-root px-2 pt-1 pb-0.5 text-15 wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext] pointer-coarse:text-16"
            >
              <MessageText text={caption} people={people} end={corner()} />
            </article>
          )}
        </div>
      </div>
    </div>
  );
}
