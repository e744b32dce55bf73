import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/Button.tsx';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { profileTexts } from './profileTexts.ts';

const OpenExportDialog = lazyDialog(
  async () => (await import('../../chat/accountExport/OpenExportDialog.tsx')).OpenExportDialog,
);

/** Says that messages of an export are encrypted, and opens one. The dialog loads on demand. */
export function OpenExportRow() {
  const { t } = useTexts(profileTexts);
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-48 flex-1 text-13 text-muted">{t('profile:archive.encrypted')}</p>
      <Button kind="secondary" size="small" icon={<FolderOpen aria-hidden="true" />} onClick={() => setOpen(true)}>
        {t('profile:archive.open')}
      </Button>
      {open && <OpenExportDialog onClose={() => setOpen(false)} />}
    </div>
  );
}
