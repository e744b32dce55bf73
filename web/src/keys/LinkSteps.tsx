import type { LinkState } from '@nolo/client/keys/types';
import { CircleAlert, CircleCheck, Copy, MonitorSmartphone } from 'lucide-react';
import { formatPlace } from '@nolo/rules';
import { useState, type ReactNode } from 'react';
import { formatClockTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { useTexts } from '../i18n/texts.ts';
import { useCopy } from '../shell/useCopy.ts';
import { Button } from '../ui/Button.tsx';
import { QrCode } from '../ui/QrCode.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { TextField } from '../ui/TextField.tsx';
import { keysTexts } from './keysTexts.ts';
import { formatLinkDigits, linkDigits, readDigits } from './model/formatDigits.ts';
import { useKeyDeviceName } from './useKeyDeviceName.ts';
import { useKeysAction } from './useKeys.ts';

interface LinkStepsProps {
  link: LinkState;
  /** Closes the dialog around the steps. */
  onClose: () => void;
  /** Begins again, after a failure. */
  onAgain: () => void;
}

/** Steps of adding a device, on the new and on the old side (docs/encryption.md, section 3). */
export function LinkSteps({ link, onClose, onAgain }: LinkStepsProps) {
  switch (link.step) {
    case 'code':
      return <CodeStep code={link.code} expiresAt={link.expiresAt} />;
    case 'waiting':
      return <WaitingStep expiresAt={link.expiresAt} />;
    case 'digits':
      return link.side === 'new' ? <NewDigitsStep digits={link.digits} /> : <OldDigitsStep digits={link.digits} />;
    case 'confirm':
      return <ConfirmStep deviceName={link.deviceName} place={link.place} onClose={onClose} />;
    case 'type':
      return <TypeStep deviceName={link.deviceName} />;
    case 'finishing':
      return <FinishingStep part={link.part} />;
    case 'done':
      return <DoneStep side={link.side} onClose={onClose} />;
    case 'failed':
      return <FailedStep reason={link.reason} onAgain={onAgain} />;
  }
}

function Centered({ children }: { children: ReactNode }) {
  return <div className="flex flex-col items-center gap-4 text-center">{children}</div>;
}

function ValidUntil({ at }: { at: string }) {
  const { t } = useTexts(keysTexts);
  const locale = useLocale();
  return (
    <p className="text-13 text-muted">{t('keys:link.validUntil', { time: formatClockTime(Date.parse(at), locale) })}</p>
  );
}

function CodeStep({ code, expiresAt }: { code: string; expiresAt: string }) {
  const { t } = useTexts(keysTexts);
  const copy = useCopy();
  return (
    <Centered>
      <p className="text-14 text-balance">{t('keys:link.code')}</p>
      <QrCode value={code} label={t('keys:link.codeLabel')} />
      <ValidUntil at={expiresAt} />
      <Button kind="quiet" size="small" icon={<Copy />} onClick={() => void copy(code, t('keys:link.copied'))}>
        {t('keys:link.copyCode')}
      </Button>
    </Centered>
  );
}

function WaitingStep({ expiresAt }: { expiresAt: string }) {
  const { t } = useTexts(keysTexts);
  return (
    <Centered>
      <p role="status" className="text-14 text-balance">
        {t('keys:link.waiting')}
      </p>
      <Spinner className="size-6 text-muted" />
      <ValidUntil at={expiresAt} />
    </Centered>
  );
}

/** Number that the user types on the other device. */
function BigDigits({ digits }: { digits: string }) {
  return (
    <p
      dir="ltr"
      data-link-digits
      // Read digit by digit.
      aria-label={[...digits].join(' ')}
      role="img"
      className="tabular rounded-card bg-sunken px-6 py-4 text-32 font-semibold tracking-wider"
    >
      {formatLinkDigits(digits)}
    </p>
  );
}

/** Field for the number that the other device shows. */
function DigitsForm({ label }: { label: string }) {
  const { t } = useTexts(keysTexts);
  const [typed, setTyped] = useState('');
  const digits = readDigits(typed);
  const type = useKeysAction((keys, wanted: string) => keys.typeDigits(wanted), {
    failure: t('keys:link.failedTitle'),
  });
  return (
    <form
      className="flex w-full flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (digits.length === linkDigits) void type.run(digits);
      }}
    >
      <TextField
        autoFocus
        dir="ltr"
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        size="large"
        inputClassName="tabular text-center text-20 tracking-wider"
        label={label}
        hint={t('keys:link.digitsHint')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" wide disabled={digits.length !== linkDigits} busy={type.busy}>
        {t('keys:link.continue')}
      </Button>
    </form>
  );
}

function NewDigitsStep({ digits }: { digits: string }) {
  const { t } = useTexts(keysTexts);
  return (
    <Centered>
      <p className="w-full text-start text-13 font-medium">{t('keys:link.newDigits')}</p>
      <BigDigits digits={digits} />
      <div className="w-full text-start">
        <DigitsForm label={t('keys:link.newType')} />
      </div>
    </Centered>
  );
}

function TypeStep({ deviceName }: { deviceName: string }) {
  const { t } = useTexts(keysTexts);
  const nameOf = useKeyDeviceName();
  return <DigitsForm label={t('keys:link.typeOn', { device: nameOf(deviceName) })} />;
}

function OldDigitsStep({ digits }: { digits: string }) {
  const { t } = useTexts(keysTexts);
  return (
    <Centered>
      <p className="text-14 font-medium">{t('keys:link.oldDigits')}</p>
      <BigDigits digits={digits} />
      <p role="status" className="flex items-center gap-2 text-13 text-muted">
        <Spinner />
        {t('keys:link.oldDigitsWait')}
      </p>
    </Centered>
  );
}

type ConfirmStepProps = Pick<Extract<LinkState, { step: 'confirm' }>, 'deviceName' | 'place'> & {
  onClose: () => void;
};

function ConfirmStep({ deviceName, place, onClose }: ConfirmStepProps) {
  const { t } = useTexts(keysTexts);
  const locale = useLocale();
  const nameOf = useKeyDeviceName();
  const confirm = useKeysAction((keys) => keys.confirmLink(), { failure: t('keys:link.failedTitle') });
  return (
    <div className="flex flex-col gap-4">
      <p className="text-16 font-semibold">{t('keys:link.confirm')}</p>
      <div className="flex items-center gap-3 rounded-card bg-sunken p-4">
        <MonitorSmartphone aria-hidden="true" className="size-6 shrink-0 text-muted" />
        <span className="min-w-0">
          <span className="block text-14 font-medium">{nameOf(deviceName)}</span>
          {place && <span className="block text-13 text-muted">{formatPlace(place, locale)}</span>}
        </span>
      </div>
      <p className="text-14 text-muted">{t('keys:link.confirmText')}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button kind="secondary" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button busy={confirm.busy} onClick={() => void confirm.run()}>
          {t('keys:link.confirmAdd')}
        </Button>
      </div>
    </div>
  );
}

function FinishingStep({ part }: { part: 'list' | 'vault' }) {
  const { t } = useTexts(keysTexts);
  return (
    <Centered>
      <Spinner className="size-6 text-muted" />
      <p role="status" className="text-14">
        {t(part === 'list' ? 'keys:link.finishingList' : 'keys:link.finishingVault')}
      </p>
    </Centered>
  );
}

function DoneStep({ side, onClose }: { side: LinkState['side']; onClose: () => void }) {
  const { t } = useTexts(keysTexts);
  return (
    <Centered>
      <CircleCheck aria-hidden="true" className="size-10 text-accent-text" />
      <p role="status" className="text-16 font-semibold">
        {t(side === 'new' ? 'keys:link.doneNew' : 'keys:link.doneOld')}
      </p>
      <Button wide onClick={onClose}>
        {t('keys:link.done')}
      </Button>
    </Centered>
  );
}

type FailedStepProps = Pick<Extract<LinkState, { step: 'failed' }>, 'reason'> & { onAgain: () => void };

function FailedStep({ reason, onAgain }: FailedStepProps) {
  const { t } = useTexts(keysTexts);
  return (
    <Centered>
      <CircleAlert aria-hidden="true" className="size-10 text-danger-text" />
      <div role="alert">
        <p className="text-16 font-semibold">{t('keys:link.failedTitle')}</p>
        <p className="mt-1 text-14 text-balance text-muted">
          {t(reason === 'too_many' ? 'keys:link.failed.tooManyTries' : `keys:link.failed.${reason}`)}
        </p>
      </div>
      <Button wide kind="secondary" onClick={onAgain}>
        {t('keys:link.again')}
      </Button>
    </Centered>
  );
}
