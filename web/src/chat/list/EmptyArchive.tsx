import { Archive } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { rowsTexts } from './rowsTexts.ts';

/** Replaces an archive after its last conversation was removed. */
export function EmptyArchive({ onBack }: { onBack: () => void }) {
  const { t } = useTexts(rowsTexts);
  return (
    <EmptyState
      className="flex-1"
      icon={<Archive />}
      title={t('rows:archiveEmpty')}
      description={t('rows:archiveEmptyText')}
      action={
        <Button kind="secondary" onClick={onBack}>
          {t('chats.backFromArchive')}
        </Button>
      }
    />
  );
}
