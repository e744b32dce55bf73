import { routes } from '@nolo/api';
import type { SignInIdentity } from '@nolo/api';
import { cleanName, deviceName, limits } from '@nolo/rules';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { queryKeys } from '../../api/queries.ts';
import { addWords } from '../../i18n/i18n.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { enPasskeys } from '../passkeys/enPasskeys.ts';
import { addPasskey, toPasskeyErrorKey } from '../passkeys/passkeys.ts';
import { ProofDeclined, withProof } from '../../api/proof.ts';
import { toast } from '../../ui/toasts.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useDeviceNameFormatter } from '../security/useDeviceNameFormatter.ts';

export interface PasskeyDialogProps {
  /** Passkey to rename; null to create a new one. */
  passkey: SignInIdentity | null;
  onClose: () => void;
}

/** Dialog that creates or renames a passkey. */
export function PasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const { t, i18n } = useTranslation();
  addWords(i18n, 'passkeys', enPasskeys);
  const queryClient = useQueryClient();
  const device = useDeviceNameFormatter();
  const [name, setName] = useState(
    () => passkey?.name ?? (deviceName(navigator.userAgent).system === null ? '' : device(navigator.userAgent)),
  );
  const [error, setError] = useState<string | null>(null);
  const missing = cleanName(name) === '';

  const save = async () => {
    if (missing) return;
    setError(null);
    try {
      if (passkey === null) await withProof(() => addPasskey(cleanName(name)));
      else await call(routes.renamePasskey, { params: { id: passkey.id }, body: { name } });
      await queryClient.invalidateQueries({ queryKey: queryKeys.identities });
      toast(
        passkey === null
          ? { kind: 'success', title: t('passkeys.added'), description: t('passkeys.addedText') }
          : { kind: 'success', title: t('passkeys.renamed') },
      );
      onClose();
    } catch (failure) {
      if (failure instanceof ProofDeclined) return;
      const refusal = toPasskeyErrorKey(failure);
      setError(refusal === undefined ? explainFailure(i18n, failure) : t(`passkeys.errors.${refusal}`));
    }
  };

  return (
    <FormDialog
      size="small"
      title={passkey === null ? t('passkeys.add') : t('passkeys.renameTitle')}
      {...(passkey === null && { description: t('passkeys.addText') })}
      submitLabel={passkey === null ? t('passkeys.create') : t('common.save')}
      disabled={missing}
      onClose={onClose}
      onSubmit={save}
    >
      <TextField
        autoFocus
        autoComplete="off"
        maxLength={limits.passkeyNameLength}
        label={t('passkeys.name')}
        hint={t('passkeys.nameHint')}
        error={missing ? t('passkeys.nameMissing') : error}
        value={name}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
