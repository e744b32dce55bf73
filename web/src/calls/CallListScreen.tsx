import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { CallList } from './CallList.tsx';
import { useCallTexts } from './useCallTexts.ts';

/** `/calls`. */
export function CallListScreen() {
  const { t } = useCallTexts();
  useDocumentTitle(t('calls.listTitle'));
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="box-content flex h-16 shrink-0 items-center gap-1 ps-2 pe-4 pt-[env(safe-area-inset-top)]">
        <Link
          to="/"
          aria-label={t('calls.backToChats')}
          className="tap inline-flex size-10 shrink-0 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-5 rtl:-scale-x-100" />
        </Link>
        <h1 className="min-w-0 flex-1 truncate text-20 font-semibold tracking-tight">{t('calls.listTitle')}</h1>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-160 pb-6">
          <CallList />
        </div>
      </div>
    </div>
  );
}
