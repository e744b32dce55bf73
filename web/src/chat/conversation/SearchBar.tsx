import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useChat, useChatState } from '../context/chatContext.ts';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import { useLocale } from '../../i18n/locale.ts';
import type { Timeline } from '@nolo/client/chat/timeline';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { findMessages } from './findMessages.ts';
import { conversationSearchStore } from './conversationSearch.ts';
import { useTexts } from '../../i18n/texts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

export interface SearchBarProps {
  conversationId: string;
  timeline: Timeline | undefined;
  onJump: (seq: number) => void;
  onClose: () => void;
}

/** Searches the loaded messages of the conversation. The server cannot read them (decision 13). */
export function SearchBar({ conversationId, timeline, onJump, onClose }: SearchBarProps) {
  const { t } = useTexts(messagesTexts);
  const { engine } = useChat();
  const locale = useLocale();
  const connected = useChatState((state) => state.connection === 'open');
  const [query, setQuery] = useState('');
  const [position, setPosition] = useState(0);
  const [failed, setFailed] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const deferred = useDeferredValue(query);
  const messages = timeline?.messages;
  const found = useMemo(() => findMessages(messages ?? [], deferred), [messages, deferred]);
  const current = Math.min(position, Math.max(0, found.length - 1));

  useEffect(() => input.current?.focus(), []);
  // The list highlights the query.
  useEffect(() => conversationSearchStore.setState({ query: deferred }), [deferred]);
  const seq = found[current];
  useEffect(() => {
    if (seq !== undefined && deferred !== '') onJump(seq);
    // The jump follows the search result. A change of the message list alone causes no jump.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [seq, deferred]);

  const step = (by: number): void => {
    if (found.length > 0) setPosition((current + by + found.length) % found.length);
  };
  const count = messages?.length ?? 0;
  const status =
    deferred.trim() === ''
      ? ''
      : found.length === 0
        ? t('messages:search.none')
        : t('messages:search.count', {
            position: (current + 1).toLocaleString(locale),
            total: found.length.toLocaleString(locale),
          });
  return (
    <div className="shrink-0 border-b border-line bg-panel px-2 py-2 md:px-4">
      <div className="flex items-center gap-x-1 max-sm:flex-wrap">
        <SearchField
          ref={input}
          className="min-w-0 flex-1"
          label={t('messages:search.label')}
          placeholder={t('chats.searchShort')}
          value={query}
          autoComplete="off"
          onValueChange={(value) => {
            setQuery(value);
            setPosition(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              event.stopPropagation();
              onClose();
            } else if (event.key === 'Enter' || event.key === 'ArrowUp' || event.key === 'ArrowDown') {
              event.preventDefault();
              step(event.key === 'ArrowDown' || (event.key === 'Enter' && event.shiftKey) ? -1 : 1);
            }
          }}
        />
        {/* Phones show this below the field, which needs the full width. */}
        <span
          role="status"
          className="tabular min-w-16 shrink-0 px-1 text-center text-13 text-muted max-sm:order-1 max-sm:w-full max-sm:text-start"
        >
          {status}
        </span>
        <IconButton
          label={t('messages:search.next')}
          icon={<ChevronUp />}
          disabled={found.length === 0}
          onClick={() => step(1)}
        />
        <IconButton
          label={t('messages:search.previous')}
          icon={<ChevronDown />}
          disabled={found.length === 0}
          onClick={() => step(-1)}
        />
        <IconButton label={t('messages:search.close')} icon={<X />} onClick={onClose} />
      </div>
      <p className="flex min-h-8 flex-wrap items-center gap-x-2 px-1 pt-1 text-12 text-muted">
        {failed
          ? t('messages:search.loadFailed')
          : t('messages:search.scope', { count, formatted: count.toLocaleString(locale) })}
        {timeline?.hasOlder === true && connected && (
          <Button
            kind="quiet"
            size="small"
            busy={timeline.loadingOlder}
            onClick={() => {
              setFailed(false);
              getConversationActions(engine)
                .loadMoreToSearch(conversationId)
                .catch(() => setFailed(true));
            }}
          >
            {t('messages:search.more')}
          </Button>
        )}
      </p>
    </div>
  );
}
