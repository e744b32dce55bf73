import { Archive } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { addWords } from '../../i18n/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { enRows } from './enRows.ts';

/** Replaces an archive after its last conversation was removed. */
export function EmptyArchive({ onBack }: { onBack: () => void }) {
  const { t, i18n } = useTranslation();
  addWords(i18n, 'rows', enRows);
  return (
    <EmptyState
      className="flex-1"
      icon={<Archive />}
      title={t('rows.archiveEmpty')}
      description={t('rows.archiveEmptyText')}
      action={
        <Button kind="secondary" onClick={onBack}>
          {t('chats.backFromArchive')}
        </Button>
      }
    />
  );
}
