import { ArrowDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../ui/classNames.ts';

/** Scrolls back to the newest message while the list is scrolled up, and shows how many arrived meanwhile. */
export function ScrollDownPill({ count, onClick }: { count: number; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-label={count > 0 ? undefined : t('conversation.toNewest')}
      onClick={onClick}
      className={classNames(
        'tap absolute inset-x-0 bottom-3 mx-auto flex h-9 w-fit animate-rise-in items-center justify-center gap-1.5 rounded-full text-13 font-semibold shadow-overlay',
        count > 0 ? 'bg-accent px-4 text-on-accent' : 'min-w-9 border border-line bg-overlay text-muted hover:text-ink',
      )}
    >
      <ArrowDown aria-hidden="true" className="size-[18px]" />
      {count > 0 && <span className="tabular">{t('conversation.newBelow', { count })}</span>}
    </button>
  );
}
