import { ArrowLeft } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { classNames } from '../../ui/classNames.ts';
import { useMessageWords } from '../words/useMessageWords.ts';

/** On phones, where a conversation covers the list that it was opened from: the way back to that. */
export function BackToList({ className }: { className?: string }) {
  const { t } = useMessageWords();
  const { pathname, search } = useLocation();
  const [, list] = /^(\/(?:starred|search))\//.exec(pathname) ?? [];
  return (
    <Link
      to={list === undefined ? '/' : list + search}
      aria-label={t(list === undefined ? 'conversation.back' : 'common.back')}
      className={classNames(
        'tap inline-flex size-10 shrink-0 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-ink md:hidden',
        className,
      )}
    >
      <ArrowLeft aria-hidden="true" className="size-5 rtl:-scale-x-100" />
    </Link>
  );
}
