import { MailQuestion } from 'lucide-react';
import { CountBadge } from '../../ui/Badge.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { requestsTexts } from '../words/requestsTexts.ts';

/** Opens strangers' messages and group invitations, and shows how many are pending. They do not count as unread. */
export function RequestsRow({ count, onOpen }: { count: number; onOpen: () => void }) {
  const { t } = useTexts(requestsTexts);
  return (
    <button
      type="button"
      onClick={onOpen}
      className="mx-2 flex h-11 shrink-0 items-center gap-3 rounded-card px-2.5 text-start text-14 font-medium text-muted hover:bg-hover hover:text-ink"
    >
      <span className="flex w-12 justify-center">
        <MailQuestion aria-hidden="true" className="size-[18px]" />
      </span>
      <span className="min-w-0 flex-1 truncate">{t('requests:title')}</span>
      <CountBadge muted count={count} label={t('requests:waiting', { count })} />
    </button>
  );
}
