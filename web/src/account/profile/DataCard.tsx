import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureWords } from '../../i18n/serverWords.ts';
import { ProofDeclined, withProof } from '../proof.ts';
import { toast } from '../../ui/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx';
import { downloadExport } from './exportAccount.ts';

/** Taking one's data along, and leaving for good (decision 35). */
export function DataCard() {
  const { t, i18n } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [deleting, setDeleting] = useState(false);

  const takeAlong = async () => {
    setBusy(true);
    try {
      await withProof(downloadExport);
    } catch (error) {
      if (!(error instanceof ProofDeclined))
        toast({ kind: 'error', title: t('profile.exportFailed'), description: failureWords(i18n, error) });
    }
    setBusy(false);
  };

  return (
    <Card title={t('profile.yourData')}>
      <div className="flex flex-col divide-y divide-line">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pb-4">
          <p className="min-w-48 flex-1 text-13 text-muted">{t('profile.exportText')}</p>
          <Button kind="secondary" size="small" icon={<Download />} busy={busy} onClick={() => void takeAlong()}>
            {busy ? t('profile.exporting') : t('profile.export')}
          </Button>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-4">
          <p className="min-w-48 flex-1 text-13 text-muted">{t('profile.deleteText')}</p>
          <Button
            kind="secondary"
            size="small"
            icon={<Trash2 />}
            className="text-danger-text!"
            onClick={() => setDeleting(true)}
          >
            {t('profile.deleteAccount')}
          </Button>
        </div>
      </div>
      {deleting && <DeleteAccountDialog onClose={() => setDeleting(false)} />}
    </Card>
  );
}
