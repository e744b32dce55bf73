import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx';
import { AccountExportSection } from './AccountExportSection.tsx';

/** Export of the user's data, and deletion of the account (decision 35). */
export function ExportAndDeleteAccountCard() {
  const { t } = useTranslation();
  const [deleting, setDeleting] = useState(false);

  return (
    <Card title={t('profile.yourData')}>
      <div className="flex flex-col divide-y divide-line">
        <div className="pb-4">
          <AccountExportSection />
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
