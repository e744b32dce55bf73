import { Search, SearchX } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useChat } from '../chat/context/chatContext.ts';
import { useLocale } from '../i18n/locale.ts';
import { useNow } from '../shell/useNow.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { SearchCoverage } from './SearchCoverage.tsx';
import { FilterBar } from './FilterBar.tsx';
import { readFilters, toSearchFilter, type ChosenFilters } from './filters.ts';
import { FoundMessageRow } from './FoundMessageRow.tsx';
import { NameMatchRows, useNameMatches } from './NameMatchRows.tsx';
import type { MessageSearch } from './search.ts';
import { useFoundMessages, useMessageSearch, type FoundMessages } from './useFoundMessages.ts';
import { useOptimisticSearchParams } from './useOptimisticSearchParams.ts';
import { BackLink } from '../shell/BackLink.tsx';
import { useTexts } from '../i18n/texts.ts';
import { searchTexts } from './searchTexts.ts';

const pageSize = 30;
/** Milliseconds between repeated searches while more messages arrive. */
const refreshMs = 2_000;

/**
 * Moves the focus with the arrow keys from the field through the results. Home and End lead to the first and last
 * result.
 */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const results = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-result]')];
  const field = event.currentTarget.querySelector<HTMLElement>('input');
  const at = results.indexOf(document.activeElement as HTMLElement);
  const inField = document.activeElement === field;
  if ((at === -1 && !inField) || event.altKey || event.ctrlKey || event.metaKey) return;
  const next = () => {
    if (event.key === 'ArrowDown') return results[at + 1];
    if (event.key === 'ArrowUp') return at > 0 ? results[at - 1] : field;
    if (inField) return undefined;
    if (event.key === 'Home') return results[0];
    return event.key === 'End' ? results.at(-1) : undefined;
  };
  const target = next();
  if (!target) return;
  event.preventDefault();
  target.focus();
}

/** Increases whenever the results may have changed. */
function useRevision(search: MessageSearch | null): number {
  const { engine } = useChat();
  const [revision, setRevision] = useState(0);
  useEffect(() => {
    if (!search) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const scheduleRefresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setRevision((count) => count + 1);
      }, refreshMs);
    };
    scheduleRefresh();
    const stop = [
      search.older.subscribe(scheduleRefresh),
      search.growing.subscribe(scheduleRefresh),
      search.client.store.subscribe(scheduleRefresh),
      engine.store.subscribe(({ timelines }, before) => timelines !== before.timelines && scheduleRefresh()),
    ];
    return () => {
      clearTimeout(timer);
      stop.forEach((one) => one());
    };
  }, [search, engine]);
  return revision;
}

export function SearchPanel() {
  const { t } = useTexts(searchTexts);
  const [query, setQuery] = useOptimisticSearchParams();
  const search = useMessageSearch();
  const now = useNow();
  const typed = query.get('q') ?? '';
  const filters = readFilters(query);
  const revision = useRevision(search);
  const result = useFoundMessages(typed, toSearchFilter(filters, now), pageSize, revision);
  const named = useNameMatches(typed);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const change = (typedNow: string, chosen: ChosenFilters): void => {
    const entries = Object.entries({ q: typedNow, ...chosen }).filter(([, value]) => value !== null && value !== '');
    setQuery(Object.fromEntries(entries) as Record<string, string>);
  };
  const isFiltered = Object.values(filters).some((one) => one !== null);
  const hasQuery = typed.trim() !== '' || isFiltered;
  return (
    <div role="presentation" className="flex min-h-0 flex-1 flex-col" onKeyDown={moveFocus}>
      <header
        data-keep-clear
        className="box-content flex h-16 shrink-0 items-center gap-1 ps-2 pe-4 pt-[env(safe-area-inset-top)] md:pe-3"
      >
        <BackLink to="/" label={t('search:back')} />
        <h1 className="sr-only">{t('search:title')}</h1>
        <SearchField
          ref={field}
          className="min-w-0 flex-1"
          label={t('search:label')}
          placeholder={t('search:placeholder')}
          value={typed}
          dir="auto"
          autoComplete="off"
          onValueChange={(value) => change(value, filters)}
        />
      </header>
      <FilterBar value={filters} onChange={(chosen) => change(typed, chosen)} />
      <div className="min-h-0 flex-1 overflow-y-auto pb-6">
        {!isFiltered && (
          <>
            <NameMatchRows title={t('search:chats')} rows={named.chats} />
            <NameMatchRows title={t('search:people')} rows={named.people} />
          </>
        )}
        <FoundList typed={typed} hasQuery={hasQuery} isFiltered={isFiltered} result={result} />
        {search && result.state !== 'failed' && <SearchCoverage search={search} revision={revision} />}
      </div>
    </div>
  );
}

function FoundList(props: { typed: string; hasQuery: boolean; isFiltered: boolean; result: FoundMessages }) {
  const { typed, hasQuery, isFiltered, result } = props;
  const { t } = useTexts(searchTexts);
  const locale = useLocale();
  const search = useMessageSearch();
  const impossible = useImpossible(search);
  const { state, found, more, loadMore } = result;
  if (!hasQuery) {
    return (
      <EmptyState className="pt-12" icon={<Search />} title={t('search:start')} description={t('search:startText')} />
    );
  }
  if (state === 'failed') {
    return (
      <ErrorState
        className="pt-12"
        title={t('search:failed')}
        // A retry cannot help if this browser lacks a required feature.
        {...(impossible ? { description: t('search:impossible') } : { onRetry: loadMore })}
      />
    );
  }
  if (state === 'searching' && found.length === 0) return <SkeletonRows rows={3} label={t('search:searching')} />;
  if (found.length === 0) {
    return (
      <EmptyState
        className="pt-12"
        icon={<SearchX />}
        title={t('search:nothing')}
        description={
          typed.trim() === '' || isFiltered
            ? t('search:nothingFiltered')
            : t('search:nothingText', { typed: typed.trim() })
        }
      />
    );
  }
  const formatted = found.length.toLocaleString(locale);
  const firstNear = found.findIndex(({ exact }) => !exact);
  return (
    <section aria-label={t('search:messages')}>
      <div className="flex items-baseline gap-2 px-4.5 pt-2 pb-1 text-12 text-muted">
        <h2 className="flex-1 font-semibold">{firstNear === 0 ? t('search:near') : t('search:messages')}</h2>
        <span role="status">
          {more ? t('search:countMore', { formatted }) : t('search:count', { count: found.length, formatted })}
        </span>
      </div>
      <ul aria-label={t('search:messages')}>
        {(firstNear > 0 ? found.slice(0, firstNear) : found).map((one) => (
          <FoundMessageRow key={`${one.conversationId} ${one.seq}`} found={one} />
        ))}
      </ul>
      {firstNear > 0 && (
        <>
          <h2 className="px-4.5 pt-3 pb-1 text-12 font-semibold text-muted">{t('search:near')}</h2>
          <ul aria-label={t('search:near')}>
            {found.slice(firstNear).map((one) => (
              <FoundMessageRow key={`${one.conversationId} ${one.seq}`} found={one} />
            ))}
          </ul>
        </>
      )}
      {more && (
        <div className="flex justify-center pt-3">
          <Button kind="secondary" size="small" onClick={loadMore}>
            {t('search:more')}
          </Button>
        </div>
      )}
    </section>
  );
}

function useImpossible(search: MessageSearch | null): boolean {
  const [impossible, setImpossible] = useState(false);
  const client = search?.client;
  useEffect(() => {
    const updateImpossible = () => setImpossible(client?.store.getState().state === 'failed');
    updateImpossible();
    return client?.store.subscribe(updateImpossible);
  }, [client]);
  return impossible;
}
