import { routes } from '@nolo/api';
import { Trash2, FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { leaveDeletedAccount } from '../../session/endSession.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAction } from '../../ui/useAction.ts';
import { AccountExportSection } from './AccountExportSection.tsx';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { profileTexts } from './profileTexts.ts';

/** Export of the user's data, and deletion of the account (decision 35). */
export function ExportAndDeleteAccountCard() {
  const { t } = useTexts(profileTexts);
  const [deleting, setDeleting] = useState(false);

  return (
    <Card title={t('profile:yourData')}>
      <div className="flex flex-col divide-y divide-line">
        <div className="pb-4">
          <AccountExportSection />
        </div>
        <div className="py-4">
          <OpenExportRow />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-4">
          <p className="min-w-48 flex-1 text-13 text-muted">{t('profile:deleteText')}</p>
          <Button
            kind="secondary"
            size="small"
            icon={<Trash2 />}
            className="text-danger-text!"
            onClick={() => setDeleting(true)}
          >
            {t('profile:deleteAccount')}
          </Button>
        </div>
      </div>
      {deleting && <DeleteAccountDialog onClose={() => setDeleting(false)} />}
    </Card>
  );
}

/** Dialog to delete the account after typing a word. Explains in advance what is deleted when, and what others keep. */
function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts(profileTexts);
  const remove = useAction(routes.deleteAccount, { failure: t('profile:deleteFailed') });
  const [typed, setTyped] = useState('');
  const word = t('profile:deleteWord');
  const confirmed = typed.trim().toLocaleUpperCase() === word.toLocaleUpperCase();

  const erase = async () => {
    if (confirmed && (await remove.run({}))) await leaveDeletedAccount();
  };

  return (
    <FormDialog
      role="alert"
      title={t('profile:deleteTitle')}
      description={t('profile:deleteDescription')}
      danger
      safe
      disabled={!confirmed}
      waits
      submitLabel={t('profile:deleteForGood')}
      onClose={onClose}
      onSubmit={erase}
    >
      <ul className="mb-1 flex list-disc flex-col gap-1.5 ps-5 text-14">
        <li>{t('profile:deleteDevicesGone')}</li>
        <li>{t('profile:deleteProfileGone')}</li>
        <li>{t('profile:deleteMessagesGone')}</li>
        <li>{t('profile:deleteOthersKeep')}</li>
      </ul>
      <TextField
        label={t('profile:deleteTypeWord', { word })}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}

const OpenExportDialog = lazyDialog(
  async () => (await import('../../chat/accountExport/OpenExportDialog.tsx')).OpenExportDialog,
);

/** Says that messages of an export are encrypted, and opens one. The dialog loads on demand. */
function OpenExportRow() {
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
