import { routes, type SecondFactor } from '@nolo/api';
import { limits } from '@nolo/rules';
import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { queryKeys, useSecondFactor } from '../../api/queries.ts';
import { useLocale } from '../../i18n/locale.ts';
import { useSelf } from '../../session/self.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { QueryPlaceholder } from '../../ui/QueryPlaceholder.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';
import { useRefuseAccountWait } from './useRefuseAccountWait.ts';
import { useTexts } from '../../i18n/texts.ts';
import { factorTexts } from './factorTexts.ts';

const SetUpDialog = lazyDialog(async () => (await import('./SetUpDialog.tsx')).SetUpDialog);
const RecoveryCodesDialog = lazyDialog(async () => (await import('./RecoveryCodesDialog.tsx')).RecoveryCodesDialog);

/** Second factor of an account with a number: on and off, recovery codes, lock, and a pending wait without it. */
export function TwoStepCard() {
  const { t } = useTexts(factorTexts);
  const self = useSelf();
  const query = useSecondFactor();
  const { data, refetch } = query;
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const begin = useAction(routes.beginSecondFactor, { failure: t('factor:failed'), onDone: setSecret });
  // An account has no first step to follow with a second one if it has no number.
  if (self.phoneNumber === null && data?.addedAt == null) return null;
  return (
    <Card title={t('factor:title')} description={t('factor:text')}>
      {data === undefined ? (
        <QueryPlaceholder query={query} failed={t('factor:loadFailed')} loading={t('factor:title')} rows={1} />
      ) : data.addedAt === null ? (
        <Button kind="secondary" size="small" busy={begin.busy} onClick={() => void begin.run({})}>
          {t('factor:setUp')}
        </Button>
      ) : (
        <Factor factor={data} onCodes={setCodes} />
      )}
      {secret !== null && (
        <SetUpDialog
          {...secret}
          onClose={() => setSecret(null)}
          onDone={(made) => {
            setSecret(null);
            setCodes(made);
            void refetch();
          }}
        />
      )}
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Card>
  );
}

function Factor({ factor, onCodes }: { factor: SecondFactor; onCodes: (codes: string[]) => void }) {
  const { t } = useTexts(factorTexts);
  const locale = useLocale();
  const options = { invalidates: [queryKeys.secondFactor], failure: t('factor:failed') };
  const setLock = useAction(routes.setRegistrationLock, options);
  const renew = useAction(routes.renewRecoveryCodes, {
    ...options,
    onDone: ({ recoveryCodes }) => {
      setConfirmation(null);
      onCodes(recoveryCodes);
    },
  });
  const remove = useAction(routes.removeSecondFactor, {
    ...options,
    onDone: () => {
      setConfirmation(null);
      toast({ kind: 'success', title: t('factor:switchedOff') });
    },
  });
  const [confirmation, setConfirmation] = useState<'renew' | 'off' | null>(null);
  const { addedAt, recoveryCodesLeft, registrationLock, wait } = factor;
  const few = recoveryCodesLeft <= limits.recoveryCodesFew;
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(Date.parse(addedAt ?? ''));

  return (
    <div className="flex flex-col gap-3">
      {wait !== null && <Waiting opensAt={wait.opensAt} />}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-14 font-medium">{t('factor:since', { date })}</p>
        <Button kind="quiet" size="small" onClick={() => setConfirmation('off')}>
          {t('factor:switchOff')}
        </Button>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-40 flex-1 text-14">
          <span className={few ? 'font-medium text-danger-text' : 'font-medium'}>
            {t('factor:codesLeft', { count: recoveryCodesLeft })}
          </span>
          {few && <span className="block text-13 text-muted">{t('factor:codesFew')}</span>}
        </p>
        <Button kind={few ? 'primary' : 'secondary'} size="small" onClick={() => setConfirmation('renew')}>
          {t('factor:renew')}
        </Button>
      </div>
      <Switch
        label={t('factor:lock')}
        hint={t(registrationLock ? 'factor:lockHint' : 'factor:lockOff')}
        checked={registrationLock}
        onCheckedChange={(on) => void setLock.run({ body: { on } })}
      />
      <ConfirmDialog
        open={confirmation !== null}
        onCancel={() => setConfirmation(null)}
        title={t(confirmation === 'renew' ? 'factor:renewTitle' : 'factor:switchOffTitle')}
        text={t(confirmation === 'renew' ? 'factor:renewText' : 'factor:switchOffText')}
        confirmLabel={t(confirmation === 'renew' ? 'factor:renew' : 'factor:switchOff')}
        onConfirm={async () => void (await (confirmation === 'renew' ? renew : remove).run({}))}
      />
    </div>
  );
}

/** Warning that a person with the number waits for access without the second factor. */
function Waiting({ opensAt }: { opensAt: string }) {
  const { t } = useTexts(factorTexts);
  const locale = useLocale();
  const refuse = useRefuseAccountWait();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(Date.parse(opensAt));
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-card bg-sunken p-3">
      <ShieldAlert aria-hidden="true" className="size-5 shrink-0 text-danger-text" />
      <p className="min-w-40 flex-1 text-14">
        <span className="block font-medium">{t('factor:waitTitle')}</span>
        <span className="block text-13 text-muted">{t('factor:waitText', { date })}</span>
      </p>
      <Button kind="danger" size="small" busy={refuse.busy} onClick={() => void refuse.run()}>
        {t('factor:refuse')}
      </Button>
    </div>
  );
}
