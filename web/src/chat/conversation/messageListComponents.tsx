import type { Conversation } from '@nolo/api';
import type { ComponentProps } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { AlbumRow } from './AlbumRow.tsx';
import { toDeliveryState } from './DeliveryStateIcon.tsx';
import { toEntryBoundaries } from '@nolo/client/chat/entryBoundaries';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import type { MessageListContext } from './messageListContext.ts';
import { LazySealedLines } from '../sealed/LazySealedRows.tsx';
import { HiddenRow, MessageRow } from './MessageRow.tsx';
import { TypingRow } from './TypingRow.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

/* Defined outside the component, because the list would remount everything if these functions changed. */
export const messageListComponents = {
  List: ({ context, style, ...rest }: ComponentProps<'div'> & { context?: MessageListContext }) => (
    <div
      {...rest}
      // The feed role is not on the scroller: a feed contains articles only, but the scroller also has a head and a
      // foot.
      role="feed"
      aria-label={context?.label}
      aria-busy={context?.older === 'loading'}
      // The library hides its list with an inherited property, which would restyle every element in it.
      style={{ ...style, visibility: 'visible' }}
    />
  ),
  Header: ({ context }: { context?: MessageListContext }) => (context ? <ListHead {...context} /> : null),
  Footer: ({ context }: { context?: MessageListContext }) => (context ? <ListFoot {...context} /> : null),
};

function ListFoot({ conversation, sealed }: MessageListContext) {
  const { below } = sealed.lines;
  return (
    <>
      {below.length > 0 && <LazySealedLines lines={below} />}
      <TypingRow conversation={conversation} />
    </>
  );
}

/** Keeps the same height for every content, so that the messages below do not move. */
function ListHead({ older, loadOlder }: MessageListContext) {
  const { t } = useTexts(conversationTexts);
  return (
    <div className="flex h-12 items-center justify-center gap-2 text-13 text-muted">
      {older === 'loading' && (
        <span role="status" aria-label={t('conversation:loadingOlder')}>
          <Spinner className="size-5" />
        </span>
      )}
      {older === 'failed' && (
        <>
          {t('conversation:olderFailed')}
          <Button kind="quiet" size="small" onClick={loadOlder}>
            {t('common.retry')}
          </Button>
        </>
      )}
    </div>
  );
}

function toRow(index: number, entry: MessageListEntry, firstIndex: number, context: MessageListContext) {
  const { entries, hiddenNeighbour, conversation, sealed, selfId, unreadKey, selected } = context;
  const offset = index - firstIndex;
  const album = context.albums.get(entry.key);
  // The grid of the first entry shows this picture. The list ignores rows without height.
  if (album && album[0] !== entry) return <div className="h-px" />;
  const run = sealed.runs.get(entry.key);
  const place = {
    ...toEntryBoundaries(entries, offset, unreadKey, hiddenNeighbour),
    // A run has the markers of its first row.
    ...(run && run.entries[0] !== entry && { startsDay: false, startsUnread: false }),
  };
  const lines = sealed.lines.above.get(entry.key);
  if (sealed.isHidden(entry.key)) return <HiddenRow {...place} at={entry.at} lines={lines} />;
  return album ? (
    <AlbumRow
      {...place}
      endsGroup={toEntryBoundaries(entries, offset + album.length - 1, unreadKey, hiddenNeighbour).endsGroup}
      entries={album}
      context={context}
      position={index}
    />
  ) : (
    <MessageRow
      {...place}
      entry={entry}
      lines={lines}
      run={run}
      unconfirmed={sealed.lines.unconfirmed.has(entry.key)}
      onUnfold={sealed.unfold}
      conversationId={conversation.id}
      selfId={selfId}
      author={context.nameOf(entry.senderId)}
      several={conversation.type !== 'direct'}
      delivery={toDeliveryState(entry, conversation, selfId)}
      position={index}
      total={context.total}
      menuOpen={context.menuKey === entry.key}
      selected={selected && selected.has(entry.key)}
      highlighted={context.highlightedKey === entry.key}
      onRetry={context.onRetry}
      onDiscard={context.onDiscard}
    />
  );
}

export function renderRow(index: number, entry: MessageListEntry, firstIndex: number, context: MessageListContext) {
  const row = toRow(index, entry, firstIndex, context);
  return index === firstIndex && context.beginning ? (
    <>
      <Beginning conversation={context.conversation} name={context.name} />
      {row}
    </>
  ) : (
    row
  );
}

function Beginning({ conversation, name }: { conversation: Conversation; name: string }) {
  const words = useBeginningWords(conversation, name);
  return (
    <p dir="auto" className="px-6 pt-4 pb-2 text-center text-13 text-balance text-muted">
      {words}
    </p>
  );
}

/** Returns the text above the first shown message: whether it is the very first, or earlier ones are not shown. */
export function useBeginningWords({ type, clearedSeq }: Conversation, name: string): string {
  const { t } = useTexts(conversationTexts);
  if (type === 'meeting') return t('conversation:chatBeginning');
  if (clearedSeq > 0) return t('conversation:notShown');
  return t(type === 'group' ? 'conversation:group.beginning' : 'conversation:beginning', { name });
}
