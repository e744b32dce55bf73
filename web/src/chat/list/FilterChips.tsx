import { useEffect } from 'react';
import { useChat, useChatState } from '../context/chatContext.ts';
import { toast } from '../../ui/toasts.ts';
import { classNames } from '../../ui/classNames.ts';
import { listFilters, type ListFilter } from './filters.ts';
import { useTexts } from '../../i18n/texts.ts';

export function FilterChips({ value, onChange }: { value: ListFilter; onChange: (filter: ListFilter) => void }) {
  const { t } = useTexts();
  const { engine } = useChat();
  const known = useChatState(({ conversations }) => Object.keys(conversations).length);
  useEffect(() => {
    // A filter applies to the whole list, so it loads page after page.
    if (value === 'all') return;
    engine.loadMoreConversations().catch(() => toast({ kind: 'error', title: t('errors.fetchConversations') }));
  }, [engine, value, known, t]);
  return (
    <div
      role="group"
      aria-label={t('chats.filter')}
      // Touch users scroll what does not fit. Mouse users get wrapped chips.
      className="flex shrink-0 gap-1.5 -mt-0.5 overflow-x-auto px-4 pt-1 pb-2 [scrollbar-width:none] md:flex-wrap md:px-3 md:max-xl:gap-1"
    >
      {listFilters.map((filter) => (
        <button
          key={filter}
          type="button"
          aria-pressed={filter === value}
          onClick={() => onChange(filter)}
          className={classNames(
            'tap relative h-8 shrink-0 rounded-full px-3 text-13 font-medium transition-colors duration-150 md:max-xl:px-2 md:max-lg:grow md:max-lg:px-1.5 md:max-lg:text-12',
            filter === value ? 'bg-accent-subtle text-accent-text' : 'bg-sunken text-muted hover:text-ink',
          )}
        >
          {t(`chats.filters.${filter}`)}
        </button>
      ))}
    </div>
  );
}
