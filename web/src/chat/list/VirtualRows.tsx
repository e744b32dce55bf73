import type { User } from '@nolo/api';
import { useRef, type ComponentProps } from 'react';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import { useChat } from '../context/chatContext.ts';
import { toast } from '../../ui/toasts.ts';
import { ConversationRow } from './ConversationRow.tsx';
import type { ConversationRowsProps } from './ConversationRows.tsx';
import { PeopleResults } from './PeopleResults.tsx';
import { useRowFocus } from './useRowFocus.ts';
import { useRowMenu } from './useRowMenu.tsx';
import { useTexts } from '../../i18n/texts.ts';

interface ListContext {
  currentId: string | undefined;
  tabStopId: string | undefined;
  people: readonly User[];
  label: string;
}

/* Defined outside the component, because the list would remount everything if these functions changed. */
const components = {
  List: ({ context, ...rest }: ComponentProps<'div'> & { context?: ListContext }) => (
    <div {...rest} role="list" aria-label={context?.label} />
  ),
  Footer: ({ context }: { context?: ListContext }) => (
    <>
      <PeopleResults people={context?.people ?? []} />
      <div className="h-2" />
    </>
  ),
};

/** Lists any number of conversations. Only rows near the screen exist as elements. */
export function VirtualRows({ rows, people }: ConversationRowsProps) {
  const { t } = useTexts();
  const { engine } = useChat();
  const list = useRef<VirtuosoHandle>(null);
  const { currentId, tabStopId, onKeyDown, onFocus } = useRowFocus(rows, (index, done) =>
    list.current?.scrollIntoView({ index, done }),
  );
  const menu = useRowMenu(rows);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys come up from the rows, which are links
    <div
      className="flex min-h-0 flex-1 flex-col"
      onKeyDown={(event) => {
        if (!menu.onKeyDown(event)) onKeyDown(event);
      }}
      onFocus={onFocus}
      {...menu.handlers}
    >
      <Virtuoso
        ref={list}
        className="min-h-0 flex-1"
        tabIndex={-1}
        data={rows}
        context={{ currentId, tabStopId, people, label: t('chats.conversations') }}
        computeItemKey={(_, row) => row.id}
        components={components}
        fixedItemHeight={74}
        increaseViewportBy={300}
        endReached={() => {
          // The loaded rows stay, and reaching the end again retries.
          engine.loadMoreConversations().catch(() => toast({ kind: 'error', title: t('errors.fetchConversations') }));
        }}
        itemContent={(_, row, context) => (
          <div role="listitem" className="px-2 py-px">
            <ConversationRow
              conversation={row}
              current={row.id === context.currentId}
              tabStop={row.id === context.tabStopId}
            />
          </div>
        )}
      />
      {menu.element}
    </div>
  );
}
