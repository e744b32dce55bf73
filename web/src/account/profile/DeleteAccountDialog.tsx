import { routes } from '@nolo/api';
import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { leaveDeletedAccount } from '../../session/endSession.ts';
import { failureWords } from '../../i18n/serverWords.ts';
import { ProofDeclined, withProof } from '../proof.ts';
import { toast } from '../../ui/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/TextField.tsx';

/** Deleting the account takes a typed word, for it cannot be taken back. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const form = useId();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const word = t('profile.deleteWord');
  const confirmed = typed.trim().toLocaleUpperCase() === word.toLocaleUpperCase();

  const erase = async () => {
    if (!confirmed || busy) return;
    setBusy(true);
    try {
      await withProof(() => call(routes.deleteAccount));
    } catch (error) {
      setBusy(false);
      if (error instanceof ProofDeclined) return;
      toast({ kind: 'error', title: t('profile.deleteFailed'), description: failureWords(i18n, error) });
      return;
    }
    await leaveDeletedAccount();
  };

  return (
    <Dialog
      open
      role="alert"
      onOpenChange={(open) => {
        if (!open && !busy) onClose();
      }}
      title={t('profile.deleteTitle')}
      description={t('profile.deleteDescription')}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button kind="danger" type="submit" form={form} disabled={!confirmed} busy={busy}>
            {t('profile.deleteForGood')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void erase();
        }}
      >
        <ul className="mb-5 flex list-disc flex-col gap-1.5 ps-5 text-14">
          <li>{t('profile.deleteProfileGone')}</li>
          <li>{t('profile.deleteMessagesGone')}</li>
          <li>{t('profile.deleteDevicesGone')}</li>
        </ul>
        <TextField
          label={t('profile.deleteTypeWord', { word })}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
