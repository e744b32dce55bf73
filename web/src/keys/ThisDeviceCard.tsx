import type { ForkQuestion, NewerList } from '@nolo/client/keys/types';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { keysTexts } from './keysTexts.ts';
import { useKeyDeviceName } from './useKeyDeviceName.ts';
import { useKeysAction, useKeysState } from './useKeys.ts';

const SetUpDialog = lazyDialog(async () => (await import('./SetUpDialog.tsx')).SetUpDialog);
const StartOverDialog = lazyDialog(
  async () => (await import('./SetUpDialog.tsx')).StartOverDialog,
  ({ onCancel }) => onCancel(),
);

/** Asks about two versions of what the devices share, and takes the user's yes. */
function ForkAnswer({ question }: { question: ForkQuestion }) {
  const { t } = useTexts(keysTexts);
  const nameOf = useKeyDeviceName();
  const agree = useKeysAction((keys) => keys.agreeToFork(question.id), { failure: t('keys:fork.failed') });
  return (
    <>
      <p className="mt-3 text-14">{t(`keys:fork.${question.kind}`, { device: nameOf(question.deviceName) })}</p>
      <Button className="mt-3 mr-2" size="small" busy={agree.busy} onClick={() => void agree.run()}>
        {t(`keys:fork.goOn.${question.kind}`)}
      </Button>
    </>
  );
}

/** Lets the user go on without the newer list that only the vault knows. */
function NewerAnswer({ newer }: { newer: NewerList }) {
  const { t } = useTexts(keysTexts);
  const aside = useKeysAction((keys) => keys.setListAside(newer.id), { failure: t('keys:fork.failed') });
  return (
    <>
      <p className="mt-3 text-14">{t('keys:newer.meaning')}</p>
      <Button className="mt-3" size="small" kind="secondary" busy={aside.busy} onClick={() => void aside.run()}>
        {t('keys:newer.goOn')}
      </Button>
    </>
  );
}

/** Says what this device needs before it can use the account's keys. Shows nothing if it can use them. */
export function ThisDeviceCard() {
  const { t } = useTexts(keysTexts);
  const nameOf = useKeyDeviceName();
  const { phase, state } = useKeysState();
  const newer = state?.newerList;
  const [open, setOpen] = useState<'setUp' | 'over' | null>(null);
  const close = () => setOpen(null);
  const text = () => {
    switch (phase.name) {
      case 'unavailable':
        return t(`keys:unavailable.${phase.reason}`);
      case 'blocked':
        return newer && phase.reason === 'old'
          ? t('keys:newer.blocked', { device: nameOf(newer.deviceName) })
          : t(`keys:blocked.${phase.reason}`);
      case 'removed':
        return t('keys:removedHere');
      case 'unlinked':
        return t(phase.hasOtherDevices || phase.hasRecovery ? 'keys:setUp.text' : 'keys:setUp.textAlone');
      case 'ready':
        return state?.vault === 'waiting' || state?.vault === 'incomplete' ? t(`keys:shared.${state.vault}`) : null;
      case 'loading':
        return null;
    }
  };
  const words = text();
  return (
    <>
      {words !== null && (
        <Card title={t(phase.name === 'ready' ? 'keys:shared.title' : 'keys:setUp.cardTitle')}>
          <p className="text-14 text-muted">{words}</p>
          {state?.forkQuestion !== undefined && <ForkAnswer question={state.forkQuestion} />}
          {phase.name === 'blocked' && phase.reason === 'old' && newer && <NewerAnswer newer={newer} />}
          {(phase.name === 'unlinked' || phase.name === 'removed') && (
            <Button className="mt-3" size="small" onClick={() => setOpen('setUp')}>
              {t('keys:setUp.open')}
            </Button>
          )}
          {phase.name === 'blocked' && phase.reason === 'fork' && (
            <Button className="mt-3" size="small" kind="secondary" onClick={() => setOpen('over')}>
              {t('keys:setUp.over')}
            </Button>
          )}
        </Card>
      )}
      {open === 'setUp' && <SetUpDialog onClose={close} />}
      {open === 'over' && <StartOverDialog open onCancel={close} onDone={close} />}
    </>
  );
}
