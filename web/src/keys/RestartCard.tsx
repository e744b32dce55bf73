import type { KeyDevice, VaultRestartQuestion } from '@nolo/client/keys/types';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { keysTexts } from './keysTexts.ts';
import { useKeyDeviceName } from './useKeyDeviceName.ts';
import { useKeysAction, useKeysState } from './useKeys.ts';

const RemoveDeviceDialog = lazyDialog(async () => (await import('./RemoveDeviceDialog.tsx')).RemoveDeviceDialog);

/** Asks about another device that began anew what the devices share. Shows nothing without such a question. */
export function RestartCard() {
  const { phase, state } = useKeysState();
  if (phase.name !== 'ready' || !state?.restart) return null;
  return <Question restart={state.restart} devices={state.devices} />;
}

interface QuestionProps {
  restart: VaultRestartQuestion;
  devices: readonly KeyDevice[];
}

function Question({ restart, devices }: QuestionProps) {
  const { t } = useTexts(keysTexts);
  const nameOf = useKeyDeviceName();
  const [removing, setRemoving] = useState(false);
  const answer = useKeysAction((keys, isAccepted: boolean) => keys.answerRestart(restart.device, isAccepted), {
    failure: t('keys:restart.failed'),
  });
  const name = { device: nameOf(restart.deviceName) };
  const device = devices.find(({ id }) => id === restart.device);
  const words = () => {
    if (restart.removable) return t('keys:restart.text', name);
    return t(restart.isDeclined ? 'keys:restart.ignored' : 'keys:restart.textSenior', name);
  };
  return (
    <Card title={t('keys:restart.title', name)}>
      <p className="text-14 text-muted">{words()}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" busy={answer.busy} onClick={() => void answer.run(true)}>
          {t('keys:restart.accept')}
        </Button>
        {restart.removable && (
          <Button size="small" kind="danger" onClick={() => setRemoving(true)}>
            {t('keys:restart.remove')}
          </Button>
        )}
        {!restart.removable && !restart.isDeclined && (
          <Button size="small" kind="secondary" disabled={answer.busy} onClick={() => void answer.run(false)}>
            {t('keys:restart.ignore')}
          </Button>
        )}
      </div>
      {removing && device && (
        <RemoveDeviceDialog device={device} devices={devices} onClose={() => setRemoving(false)} />
      )}
    </Card>
  );
}
