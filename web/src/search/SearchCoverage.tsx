import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useChatState } from '../chat/context/chatContext.ts';
import { useLocale } from '../i18n/locale.ts';
import { Button } from '../ui/Button.tsx';
import { countIndexed } from './catchUp.ts';
import type { MessageSearch } from './search.ts';
import { useTexts } from '../i18n/texts.ts';
import { searchTexts } from './searchTexts.ts';

/** Returns the number of messages in the index, reloaded with every `revision`. Null until known. */
function useIndexedCount({ client }: MessageSearch, revision: number): number | null {
  const [held, setHeld] = useState<number | null>(null);
  useEffect(() => {
    let current = true;
    client
      .status()
      .then((status) => current && setHeld(countIndexed(status)))
      .catch(() => {
        // The search itself reports the failure.
      });
    return () => {
      current = false;
    };
  }, [client, revision]);
  return held;
}

/** Shows what is indexed and what is not, and loads the rest. */
export function SearchCoverage({ search, revision }: { search: MessageSearch; revision: number }) {
  const { t } = useTexts(searchTexts);
  const locale = useLocale();
  const indexed = useIndexedCount(search, revision);
  const growing = useStore(search.growing, (state) => state.growing);
  const older = useStore(search.older);
  const connected = useChatState((state) => state.connection === 'open');
  const number = (count: number) => count.toLocaleString(locale);
  const progress = { held: number(older.held), total: number(older.total) };
  const text = () => {
    if (older.state === 'running') {
      if (!connected) return t('search:waiting', progress);
      return older.total === 0 ? t('search:fetchingCount') : t('search:fetching', progress);
    }
    if (older.state === 'done') return t('search:complete', { formatted: number(older.total) });
    if (older.state === 'failed') return t('search:fetchFailed');
    if (growing) return t('search:growing');
    return indexed === null ? '' : t('search:held', { count: indexed, formatted: number(indexed) });
  };
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-4 text-center text-13 text-muted">
      <p role="status">{text()}</p>
      {!connected && older.state !== 'running' && <p>{t('search:offline')}</p>}
      {older.state === 'running' && older.total > 0 && (
        <progress className="h-1 w-48 accent-accent" aria-hidden="true" value={older.held} max={older.total} />
      )}
      {older.state === 'running' && (
        <Button kind="quiet" size="small" onClick={search.cancelOlder}>
          {t('search:cancel')}
        </Button>
      )}
      {connected && (older.state === 'idle' || older.state === 'failed') && (
        <Button kind="secondary" size="small" onClick={() => void search.fetchOlder()}>
          {t(older.state === 'failed' ? 'search:retry' : 'search:older')}
        </Button>
      )}
    </div>
  );
}
