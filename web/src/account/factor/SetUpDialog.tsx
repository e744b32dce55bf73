import { routes } from '@nolo/api';
import { Copy } from 'lucide-react';
import { useId, useState } from 'react';
import { useCopy } from '../../shell/useCopy.ts';
import { useExplainFailure } from '../../i18n/useExplainFailure.ts';
import { Button } from '../../ui/Button.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { QrCode } from '../../ui/QrCode.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAction } from '../../ui/useAction.ts';
import { useTexts } from '../../i18n/texts.ts';
import { factorTexts } from './factorTexts.ts';

interface SetUpDialogProps {
  secret: string;
  uri: string;
  onClose: () => void;
  /** Called with the recovery codes once the second factor is on. */
  onDone: (recoveryCodes: string[]) => void;
}

const digits = 6;

/** Shows the secret for the authenticator, and asks for the first code that it displays. */
export function SetUpDialog({ secret, uri, onClose, onDone }: SetUpDialogProps) {
  const { t } = useTexts(factorTexts);
  const copy = useCopy();
  const label = useId();
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const explain = useExplainFailure();
  const turnOn = useAction(routes.confirmSecondFactor, {
    // Shown at the field.
    failure: (failure) => {
      setError(explain(failure));
      setCode('');
    },
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  const confirm = async () => {
    if (code.length !== digits) return;
    setError(null);
    await turnOn.run({ body: { code } });
  };
  return (
    <FormDialog
      onClose={onClose}
      onSubmit={confirm}
      title={t('factor:setUpTitle')}
      description={t('factor:setUpText')}
      submitLabel={t('factor:turnOn')}
      busyLabel={t('factor:turningOn')}
      disabled={code.length !== digits}
    >
      <div className="flex justify-center pt-2">
        <QrCode value={uri} label={t('factor:picture')} />
      </div>
      {/* Full secret, for users who type it. */}
      <div role="group" aria-labelledby={label} className="flex flex-wrap items-end gap-2">
        <p className="min-w-48 flex-1">
          <span id={label} className="mb-1 block text-13 font-medium">
            {t('factor:secret')}
          </span>
          <code dir="ltr" className="tabular block font-sans text-14 font-semibold tracking-wide select-all">
            {(secret.match(/.{1,4}/g) ?? []).join(' ')}
          </code>
        </p>
        <Button
          kind="secondary"
          aria-label={t('factor:copySecret')}
          icon={<Copy aria-hidden="true" />}
          onClick={() => void copy(secret, t('factor:secretCopied'))}
        >
          {t('common.copy')}
        </Button>
      </div>
      <TextField
        autoFocus
        name="oneTimePassword"
        inputMode="numeric"
        pattern="[0-9]*"
        autoComplete="one-time-code"
        dir="ltr"
        spellCheck={false}
        label={t('factor:code')}
        error={error}
        value={code}
        onChange={(event) => {
          setCode(event.target.value.replace(/\D/g, '').slice(0, digits));
          setError(null);
        }}
        inputClassName="tabular text-center text-20 font-semibold tracking-[0.4em] indent-[0.4em]"
      />
    </FormDialog>
  );
}
