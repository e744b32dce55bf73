import { MessageSquareText } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../i18n/texts.ts';
import { rowsTexts } from './rowsTexts.ts';

/** Leads from the name search in the list to the message search. */
export function SearchMessagesLink({ typed }: { typed: string }) {
  const { t } = useTexts(rowsTexts);
  return (
    <Link
      to={`/search?${new URLSearchParams({ q: typed }).toString()}`}
      className="mx-2 flex h-11 shrink-0 items-center gap-3 rounded-card px-2.5 text-14 font-medium text-accent-text outline-offset-[-2px] hover:bg-hover"
    >
      <span className="flex w-12 justify-center">
        <MessageSquareText aria-hidden="true" className="size-[18px]" />
      </span>
      <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start">
        {t('rows:searchMessages', { typed })}
      </span>
    </Link>
  );
}
