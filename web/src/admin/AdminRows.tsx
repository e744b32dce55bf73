import { PagedRows, type PagedRowsProps } from '../ui/PagedRows.tsx';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

/** Paged list for operators. */
export function AdminRows<Item>(props: Omit<PagedRowsProps<Item>, 'words' | 'placeholder' | 'moreButton'>) {
  const { t } = useTexts(adminTexts);
  return (
    <PagedRows
      className="flex flex-col gap-2"
      {...props}
      words={{ failed: t('admin:loadFailed'), loading: t('admin:loading'), more: t('admin:more') }}
      placeholder={{ className: '' }}
      moreButton={{ className: 'self-center' }}
    />
  );
}
