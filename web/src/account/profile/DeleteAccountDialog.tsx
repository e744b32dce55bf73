import { routes } from '@nolo/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { leaveDeletedAccount } from '../../session/endSession.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { ProofDeclined, withProof } from '../../api/proof.ts';
import { showFailure } from '../../ui/failures.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';

/** Dialog to delete the account after typing a word. Explains in advance what is deleted when, and what others keep. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const [typed, setTyped] = useState('');
  const word = t('profile.deleteWord');
  const confirmed = typed.trim().toLocaleUpperCase() === word.toLocaleUpperCase();

  const erase = async () => {
    if (!confirmed) return;
    try {
      await withProof(() => call(routes.deleteAccount));
    } catch (error) {
      if (error instanceof ProofDeclined) return;
      showFailure({ title: t('profile.deleteFailed'), description: explainFailure(i18n, error) });
      return;
    }
    await leaveDeletedAccount();
  };

  return (
    <FormDialog
      role="alert"
      title={t('profile.deleteTitle')}
      description={t('profile.deleteDescription')}
      danger
      safe
      disabled={!confirmed}
      waits
      submitLabel={t('profile.deleteForGood')}
      onClose={onClose}
      onSubmit={erase}
    >
      <ul className="mb-1 flex list-disc flex-col gap-1.5 ps-5 text-14">
        <li>{t('profile.deleteDevicesGone')}</li>
        <li>{t('profile.deleteProfileGone')}</li>
        <li>{t('profile.deleteMessagesGone')}</li>
        <li>{t('profile.deleteOthersKeep')}</li>
      </ul>
      <TextField
        label={t('profile.deleteTypeWord', { word })}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}
