import type { SignInIdentity } from '@nolo/api';
import type { KeysState } from '@nolo/client/keys/types';
import { useState } from 'react';
import { useIdentities } from '../api/queries.ts';
import { useTexts } from '../i18n/texts.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { toast } from '../ui/toasts.ts';
import { keysTexts } from './keysTexts.ts';
import { canUsePasskeyPrf, PrfUnsupported, readPasskeyPrf } from './model/passkeyPrf.ts';
import { useKeyDeviceName } from './useKeyDeviceName.ts';
import { useKeysAction, useKeysState } from './useKeys.ts';
import { toPrfErrorKey } from './useRestoreByPasskey.ts';

const RecoveryDialog = lazyDialog(async () => (await import('./RecoveryDialog.tsx')).RecoveryDialog);
const CheckRecoveryDialog = lazyDialog(async () => (await import('./CheckWordsDialog.tsx')).CheckRecoveryDialog);
const CheckWordsDialog = lazyDialog(async () => (await import('./CheckWordsDialog.tsx')).CheckWordsDialog);

/** Recovery words of the account, and passkeys that stand in for them. */
export function RecoveryCard() {
  const { phase, state } = useKeysState();
  return phase.name === 'ready' && state !== null ? <Recovery state={state} /> : null;
}

function Recovery({ state }: { state: KeysState }) {
  const { t } = useTexts(keysTexts);
  const nameOf = useKeyDeviceName();
  const [open, setOpen] = useState<'set' | 'check' | null>(null);
  const { recovery, devices } = state;
  const first = devices.find(({ addedBy }) => addedBy === null);
  return (
    <Card
      title={t('keys:recovery.title')}
      description={t('keys:recovery.text')}
      action={recovery.isSet && <Badge tone="accent">{t('keys:recovery.set')}</Badge>}
    >
      {!recovery.isSet && <p className="text-13 text-muted">{t('keys:recovery.without')}</p>}
      {recovery.isSet || recovery.maySet ? (
        <div className="mt-3 flex flex-wrap gap-2">
          <Button kind="secondary" size="small" onClick={() => setOpen('set')}>
            {t(recovery.isSet ? 'keys:recovery.renew' : 'keys:recovery.setUp')}
          </Button>
          {recovery.isSet && (
            <Button kind="secondary" size="small" onClick={() => setOpen('check')}>
              {t('keys:recovery.check')}
            </Button>
          )}
        </div>
      ) : (
        <p className="mt-3 text-14">
          {first === undefined
            ? t('keys:recovery.mayNotUnknown')
            : t('keys:recovery.mayNot', { device: nameOf(first.name) })}
        </p>
      )}
      {recovery.isSet && canUsePasskeyPrf() && <RecoveryPasskeys state={state} />}
      {open === 'set' && <RecoveryDialog renews={recovery.isSet} onClose={() => setOpen(null)} />}
      {open === 'check' && <CheckRecoveryDialog onClose={() => setOpen(null)} />}
    </Card>
  );
}

/** Passkeys of the account, and which of them wrap the recovery seed. */
function RecoveryPasskeys({ state }: { state: KeysState }) {
  const { t } = useTexts(keysTexts);
  const { data: identities } = useIdentities();
  const [wrapping, setWrapping] = useState<SignInIdentity | null>(null);
  const passkeys = (identities ?? []).filter(({ type }) => type === 'passkey');
  const wrap = useKeysAction(
    async (keys, { passkey, words }: { passkey: SignInIdentity; words: string }) => {
      if (passkey.credentialId === null) throw new PrfUnsupported();
      const { prf } = await readPasskeyPrf([passkey.credentialId], await keys.passkeyInput());
      await keys.wrapRecovery(passkey.id, prf, words);
    },
    {
      failure: (error) => t(`keys:passkey.${toPrfErrorKey(error) ?? 'failed'}`),
      onDone: () => {
        toast({ kind: 'success', title: t('keys:passkey.added') });
        setWrapping(null);
      },
    },
  );
  const unwrap = useKeysAction((keys, id: string) => keys.unwrapRecovery(id), {
    failure: t('keys:passkey.failed'),
    onDone: () => toast({ kind: 'success', title: t('keys:passkey.removed') }),
  });
  return (
    <section className="mt-5 border-t border-line pt-4">
      <h3 className="text-14 font-semibold">{t('keys:passkey.title')}</h3>
      <p className="mt-0.5 text-13 text-muted">{t('keys:passkey.text')}</p>
      {passkeys.length === 0 && <p className="mt-2 text-13 text-muted">{t('keys:passkey.none')}</p>}
      <ul className="mt-1 flex flex-col">
        {passkeys.map((passkey) => {
          const name = passkey.name ?? t('keys:passkey.unnamed');
          const wraps = state.recovery.passkeys.some(({ passkeyId }) => passkeyId === passkey.id);
          return (
            <li key={passkey.id} className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <span dir="auto" className="min-w-0 text-14 wrap-anywhere">
                {name}
              </span>
              <Button
                kind={wraps ? 'quiet' : 'secondary'}
                size="small"
                aria-label={t(wraps ? 'keys:passkey.removeNamed' : 'keys:passkey.addNamed', { name })}
                busy={unwrap.running === passkey.id}
                onClick={() => {
                  if (wraps) void unwrap.run(passkey.id);
                  else setWrapping(passkey);
                }}
              >
                {t(wraps ? 'keys:passkey.remove' : 'keys:passkey.add')}
              </Button>
            </li>
          );
        })}
      </ul>
      {wrapping !== null && (
        <CheckWordsDialog
          title={t('keys:words.restoreTitle')}
          submitLabel={t('keys:recovery.next')}
          onClose={() => setWrapping(null)}
          onChecked={(words) => wrap.run({ passkey: wrapping, words })}
        />
      )}
    </section>
  );
}
