import type { Conversation } from '@nolo/api';
import { Archive, ArrowLeft, ListFilter as FilterIcon, SearchX } from 'lucide-react';
import { startTransition, Suspense, useEffect, useMemo, useState, type ComponentType, type ReactNode } from 'react';
import { Link, useParams } from 'react-router-dom';
import { useChat, useDeferredChatState } from '../context/chatContext.ts';
import { useGroupInvitations, useOwnJoinRequests } from '../context/groupQueries.ts';
import { useMediaQuery } from '../../shell/useMediaQuery.ts';
import {
  listCurrentAndArchivedConversations,
  listMessageRequests,
  listConversationsByActivity,
} from '@nolo/client/chat/chatStore';
import type { ChatState } from '@nolo/client/chat/state';
import { CountBadge } from '../../ui/Badge.tsx';
import { Button, buttonClasses } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { ConversationRows } from './ConversationRows.tsx';
import { FolderRow } from './FolderRow.tsx';
import { minRowsForFilters, matchesFilter, type ListFilter } from './filters.ts';
import { filterConversations } from '../words/filterConversations.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import { usePeopleSearch } from '../../shell/usePeopleSearch.ts';
import { lazyOptional, lazyComponent } from '../../ui/lazyComponents.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { callTexts } from '../words/callTexts.ts';

export interface ChatListProps {
  /** Bar over the list, on phones or in a sidebar. */
  Header: ComponentType<{ wide: boolean; search: ReactNode }>;
  /** Placeholder for an empty list. */
  Empty: ComponentType<{ wide: boolean }>;
}

/* Optional parts, whose space stays reserved while they load. */
const FilterChips = lazyOptional(async () => (await import('./FilterChips.tsx')).FilterChips);

const MessagesRow = lazyOptional(async () => (await import('./SearchMessagesLink.tsx')).SearchMessagesLink);

const RequestsRow = lazyOptional(async () => (await import('./RequestsRow.tsx')).RequestsRow);
const PendingGroups = lazyOptional(async () => (await import('./PendingGroups.tsx')).PendingGroups);
const RequestsList = lazyComponent(async () => (await import('./RequestsList.tsx')).RequestsList);

/* Opening the archive is a user action, so these may load late. */
const KeepArchived = lazyOptional(async () => (await import('./KeepArchivedSwitch.tsx')).KeepArchivedSwitch);
const EmptyArchive = lazyOptional(async () => (await import('./EmptyArchive.tsx')).EmptyArchive);

const statusOf = (state: ChatState) => state.list;
const conversationsOf = (state: ChatState) => state.conversations;

let drawnBefore = false;

/** Returns false in the first render since page load, because what surrounds the rows takes as long as they do. */
function useRowsTurn(): boolean {
  const [drawn, setDrawn] = useState(drawnBefore);
  useEffect(() => {
    drawnBefore = true;
    startTransition(() => setDrawn(true));
  }, []);
  return drawn;
}

/** Lists the conversations, latest activity first, with a search over them. */
export function ChatList({ Header, Empty }: ChatListProps) {
  const { t } = useTexts(callTexts);
  const { engine } = useChat();
  const names = usePeopleNames();
  const wide = useMediaQuery('(min-width: 768px)');
  const [query, setQuery] = useState('');
  const rowsTurn = useRowsTurn();
  const status = useDeferredChatState(statusOf);
  const conversations = useDeferredChatState(conversationsOf);
  const { requests, invitations, requestCount } = useIncomingRequests(conversations);
  const [place, setPlace] = usePlace(requestCount);
  const { current, archived } = useMemo(() => listCurrentAndArchivedConversations(conversations), [conversations]);
  const [filter, setFilter] = useState<ListFilter>('all');
  const { id: openId } = useParams();
  const inArchive = place === 'archive' && query.trim() === '';
  const inRequests = place === 'requests' && query.trim() === '';
  const filterable =
    !inArchive && !inRequests && query.trim() === '' && (current.length >= minRowsForFilters || filter !== 'all');
  const rows = useMemo(() => {
    if (query.trim() !== '') return filterConversations(listConversationsByActivity(conversations), query, t, names);
    return inArchive ? archived : current.filter((row) => matchesFilter(filter, row, openId));
  }, [conversations, query, inArchive, archived, current, filter, openId, t, names]);
  const search = usePeopleSearch(query, wide);
  const people = useMemo(
    () => search.people.filter((person) => !rows.some((row) => row.otherUser?.id === person.id)),
    [search.people, rows],
  );
  const body = () => {
    if (inRequests) {
      return (
        <Suspense fallback={<SkeletonRows rows={3} label={t('chats.loading')} />}>
          <RequestsList rows={requests} invitations={invitations} onBack={() => setPlace('chats')} />
        </Suspense>
      );
    }
    if (status === 'loading' || !rowsTurn) return <SkeletonRows rows={3} label={t('chats.loading')} />;
    if (status === 'error') {
      return (
        <ErrorState className="flex-1" title={t('errors.loadConversations')} onRetry={() => engine.reloadList()} />
      );
    }
    if (rows.length > 0 || people.length > 0) return <ConversationRows rows={rows} people={people} />;
    if (inArchive) {
      return (
        <Suspense fallback={null}>
          <EmptyArchive onBack={() => setPlace('chats')} />
        </Suspense>
      );
    }
    if (query.trim() === '' && filter !== 'all') {
      return (
        <EmptyState
          className="flex-1"
          icon={<FilterIcon />}
          title={t(`chats.filteredEmpty.${filter}`)}
          action={
            <Button kind="secondary" onClick={() => setFilter('all')}>
              {t('chats.showAll')}
            </Button>
          }
        />
      );
    }
    if (query.trim() === '') return <Nothing>{archived.length > 0 ? <AllArchived /> : <Empty wide={wide} />}</Nothing>;
    if (search.searching) return <SkeletonRows rows={1} label={t('chats.loading')} />;
    return (
      <EmptyState
        className="flex-1"
        icon={<SearchX />}
        title={t('chats.noMatches')}
        description={t('chats.noMatchesText', { query: query.trim() })}
      />
    );
  };
  return (
    <>
      <Header
        wide={wide}
        search={
          <SearchField
            label={t(wide ? 'chats.searchPeoplePlaceholder' : 'chats.searchPlaceholder')}
            value={query}
            onValueChange={setQuery}
            autoComplete="off"
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
              const first = event.currentTarget
                .closest('aside')
                ?.querySelector<HTMLElement>('[data-conversation], section ul a');
              if (!first) return;
              event.preventDefault();
              if (event.key === 'Enter' && query.trim() !== '') first.click();
              else first.focus();
            }}
          />
        }
      />
      {query.trim() !== '' && (
        <Suspense fallback={<div className="h-11 shrink-0" />}>
          <MessagesRow typed={query.trim()} />
        </Suspense>
      )}
      {inArchive && <ArchiveHead onBack={() => setPlace('chats')} />}
      {filterable && (
        <Suspense fallback={<div className="h-10.5 shrink-0" />}>
          <FilterChips value={filter} onChange={setFilter} />
        </Suspense>
      )}
      {place === 'chats' && query.trim() === '' && requestCount > 0 && (
        <Suspense fallback={<div className="h-11 shrink-0" />}>
          <RequestsRow count={requestCount} onOpen={() => setPlace('requests')} />
        </Suspense>
      )}
      {place === 'chats' && query.trim() === '' && archived.length > 0 && (
        <ArchiveRow rows={archived} onOpen={() => setPlace('archive')} />
      )}
      {place === 'chats' && query.trim() === '' && <Pending />}
      {body()}
    </>
  );
}

/** Replaces the rows. It scrolls, because little space may remain below the bar. */
function Nothing({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <Suspense fallback={null}>{children}</Suspense>
    </div>
  );
}

/** Groups that the user asked to join, above the rows. */
function Pending() {
  const requests = useOwnJoinRequests();
  if (requests.length === 0) return null;
  return (
    <Suspense fallback={<div className="h-(--nolo-row) shrink-0" />}>
      <PendingGroups requests={requests} />
    </Suspense>
  );
}

/** Returns what waits for acceptance: messages from strangers, and group invitations. */
function useIncomingRequests(conversations: Parameters<typeof listMessageRequests>[0]) {
  const requests = useMemo(() => listMessageRequests(conversations), [conversations]);
  const invitations = useGroupInvitations();
  return { requests, invitations, requestCount: requests.length + invitations.length };
}

/** Returns which rows the list shows. Returns to the chats after the last request is answered. */
function usePlace(requests: number) {
  const [place, setPlace] = useState<'chats' | 'archive' | 'requests'>('chats');
  if (place === 'requests' && requests === 0) setPlace('chats');
  return [place, setPlace] as const;
}

/** Replaces the list if all conversations are archived. */
function AllArchived() {
  const { t } = useTexts();
  return (
    <EmptyState
      className="flex-1"
      icon={<Archive />}
      title={t('chats.allArchived')}
      action={
        <Link to="/contacts" className={buttonClasses({ kind: 'secondary' })}>
          {t('chats.startNewChat')}
        </Link>
      }
    />
  );
}

/** Head of the archive: a back button, and the setting to keep chats archived. */
function ArchiveHead({ onBack }: { onBack: () => void }) {
  const { t } = useTexts();
  return (
    <>
      <div className="flex items-center gap-1 px-2 pb-1">
        <IconButton
          label={t('chats.backFromArchive')}
          icon={<ArrowLeft className="rtl:-scale-x-100" />}
          onClick={onBack}
        />
        <h2 className="text-16 font-semibold">{t('chats.archived')}</h2>
      </div>
      <Suspense fallback={<div className="h-15 shrink-0" />}>
        <KeepArchived />
      </Suspense>
    </>
  );
}

/** Opens the archive, and shows how many unread messages it has. */
function ArchiveRow({ rows, onOpen }: { rows: readonly Conversation[]; onOpen: () => void }) {
  const { t } = useTexts();
  const unread = rows.reduce((sum, { unreadCount }) => sum + unreadCount, 0);
  return (
    <FolderRow icon={<Archive />} title={t('chats.archived')} onOpen={onOpen}>
      <CountBadge muted count={unread} label={t('chats.unread', { count: unread })} />
      {unread === 0 && <span className="tabular text-13 font-normal">{rows.length}</span>}
    </FolderRow>
  );
}
