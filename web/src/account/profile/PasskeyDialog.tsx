import { routes, type SignInIdentity } from '@nolo/api';
import { cleanName, deviceName, limits } from '@nolo/rules';
import { useState } from 'react';
import { call } from '../../api/httpClient.ts';
import { queryKeys } from '../../api/queries.ts';
import { useExplainFailure } from '../../i18n/useExplainFailure.ts';
import { addPasskey, toPasskeyErrorKey } from '../passkeys/passkeys.ts';
import { toast } from '../../ui/toasts.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAction } from '../../ui/useAction.ts';
import { useDeviceNameFormatter } from '../security/useDeviceNameFormatter.ts';
import { useTexts } from '../../i18n/texts.ts';
import { passkeysTexts } from '../passkeys/passkeysTexts.ts';

interface PasskeyDialogProps {
  /** Passkey to rename; null to create a new one. */
  passkey: SignInIdentity | null;
  onClose: () => void;
}

/** Dialog that creates or renames a passkey. */
export function PasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const { t } = useTexts(passkeysTexts);
  const explain = useExplainFailure();
  const device = useDeviceNameFormatter();
  const [name, setName] = useState(
    () => passkey?.name ?? (deviceName(navigator.userAgent).system === null ? '' : device(navigator.userAgent)),
  );
  const [error, setError] = useState<string | null>(null);
  const missing = cleanName(name) === '';

  const save = useAction(
    (): Promise<unknown> =>
      passkey === null
        ? addPasskey(cleanName(name))
        : call(routes.renamePasskey, { params: { id: passkey.id }, body: { name } }),
    {
      invalidates: [queryKeys.identities],
      failure: (failure) => {
        const refusal = toPasskeyErrorKey(failure);
        setError(refusal === undefined ? explain(failure) : t(`passkeys:errors.${refusal}`));
      },
      onDone: () => {
        toast(
          passkey === null
            ? { kind: 'success', title: t('passkeys:added'), description: t('passkeys:addedText') }
            : { kind: 'success', title: t('passkeys:renamed') },
        );
        onClose();
      },
    },
  );

  return (
    <FormDialog
      size="small"
      title={passkey === null ? t('passkeys:add') : t('passkeys:renameTitle')}
      {...(passkey === null && { description: t('passkeys:addText') })}
      submitLabel={passkey === null ? t('passkeys:create') : t('common.save')}
      disabled={missing}
      onClose={onClose}
      onSubmit={async () => {
        if (missing) return;
        setError(null);
        await save.run();
      }}
    >
      <TextField
        autoFocus
        autoComplete="off"
        maxLength={limits.passkeyNameLength}
        label={t('passkeys:name')}
        hint={t('passkeys:nameHint')}
        error={missing ? t('passkeys:nameMissing') : error}
        value={name}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
