import type { Conversation, User } from '@nolo/api';
import { startTransition, Suspense, useEffect, useState } from 'react';
import { useChat } from '../context/chatContext.ts';
import { toast } from '../../ui/toasts.ts';
import { runWhenIdle } from '../../ui/scheduler.ts';
import { ConversationRow } from './ConversationRow.tsx';
import { useRowFocus } from './useRowFocus.ts';
import { useRowMenu } from './useRowMenu.tsx';
import { lazyOptional } from '../../ui/lazyComponents.tsx';
import { useTexts } from '../../i18n/texts.ts';

const PeopleResults = lazyOptional(async () => (await import('./PeopleResults.tsx')).PeopleResults);
const VirtualRows = lazyOptional(async () => (await import('./VirtualRows.tsx')).VirtualRows, FirstRows);

/** Maximum rows rendered at once without a noticeable delay. The code for longer lists loads only if needed. */
const plainRows = 50;

/** Rows that fill a phone's window. They are painted first, and those below in a separate task. */
const firstRows = 8;

export interface ConversationRowsProps {
  rows: readonly Conversation[];
  people: readonly User[];
}

export function ConversationRows({ rows, people }: ConversationRowsProps) {
  if (rows.length <= plainRows) return <PlainRows rows={rows} people={people} />;
  // The first rows are placed identically in both lists, so that nothing moves when the other one loads.
  return (
    <Suspense fallback={<FirstRows rows={rows} people={[]} />}>
      <VirtualRows rows={rows} people={people} />
    </Suspense>
  );
}

function FirstRows({ rows, people }: ConversationRowsProps) {
  return <PlainRows rows={rows.slice(0, plainRows)} people={people} />;
}

function PlainRows({ rows, people }: ConversationRowsProps) {
  const { t } = useTexts();
  const { engine } = useChat();
  const { currentId, tabStopId, onKeyDown, onFocus } = useRowFocus(rows);
  const menu = useRowMenu(rows);
  const [whole, setWhole] = useState(rows.length <= firstRows);
  useEffect(() => startTransition(() => setWhole(true)), []);
  useEffect(() => {
    // Few rows do not fill a page, so more may load as soon as these are visible.
    return runWhenIdle(() => {
      engine.loadMoreConversations().catch(() => toast({ kind: 'error', title: t('errors.fetchConversations') }));
    });
  }, [engine, rows.length, t]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys come up from the rows, which are links
    <div
      className="min-h-0 flex-1 overflow-y-auto"
      onKeyDown={(event) => {
        if (!menu.onKeyDown(event)) onKeyDown(event);
      }}
      onFocus={onFocus}
      {...menu.handlers}
    >
      {rows.length > 0 && (
        <div role="list" aria-label={t('chats.conversations')}>
          {(whole ? rows : rows.slice(0, firstRows)).map((row) => (
            <div key={row.id} role="listitem" className="px-2 py-px">
              <ConversationRow conversation={row} current={row.id === currentId} tabStop={row.id === tabStopId} />
            </div>
          ))}
        </div>
      )}
      {people.length > 0 && (
        <Suspense>
          <PeopleResults people={people} />
        </Suspense>
      )}
      <div className="h-2" />
      {menu.element}
    </div>
  );
}
