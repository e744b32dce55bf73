import { Volume2 } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { browserSupport } from '../../device/browserSupport.ts';
import { canBlur } from './media/cameraEffect.ts';
import type { DeviceKind } from '../../device/deviceChoice.ts';
import { playTestSound } from './media/sound.ts';
import { featureStore } from '../../session/features.ts';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Select.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { useRoomContext } from './roomContext.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Pickers for microphone, camera, and speaker. The choice is stored on this device. */
export function DevicePickers() {
  const { t } = useTexts(meetingTexts);
  const { own } = useRoomContext();
  const speaker = useStore(own.store, (state) => state.chosen.speaker);
  const noiseSuppression = useStore(own.store, (state) => state.noiseSuppression);
  const blur = useStore(own.store, (state) => state.backgroundBlur);
  const blurStarting = useStore(own.store, (state) => state.blurStarting);
  const [playing, setPlaying] = useState(false);
  const canBlurHere = useStore(featureStore, (state) => state.features['backgroundBlur'] === true) && canBlur();
  // Blur needs the operator's model. Without it, the switch only appears to revoke an earlier choice, which keeps the
  // camera off.
  const mayBlur = canBlurHere || blur;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">{t('meeting:ready.devices')}</legend>
      <DevicePicker kind="microphone" />
      <DevicePicker kind="camera" />
      {browserSupport.chooseSpeaker() && <DevicePicker kind="speaker" />}
      {browserSupport.suppressNoise() && (
        <Switch
          label={t('meeting:ready.noiseSuppression')}
          hint={t('meeting:ready.noiseHint')}
          checked={noiseSuppression}
          onCheckedChange={(on) => void own.setNoiseSuppression(on)}
        />
      )}
      {mayBlur && (
        <Switch
          label={t('meeting:ready.backgroundBlur')}
          hint={t(blurStarting ? 'meeting:ready.blurStarting' : 'meeting:ready.blurHint')}
          checked={blur}
          onCheckedChange={(on) => void own.setBackgroundBlur(on)}
        />
      )}
      <Button
        kind="secondary"
        size="small"
        icon={<Volume2 />}
        className="self-start"
        busy={playing}
        onClick={() => {
          setPlaying(true);
          // A failing speaker is silent, which is what the test reveals.
          void playTestSound(speaker)
            .catch(() => undefined)
            .finally(() => setPlaying(false));
        }}
      >
        {t(playing ? 'meeting:ready.playing' : 'meeting:ready.testSound')}
      </Button>
    </fieldset>
  );
}

function DevicePicker({ kind }: { kind: DeviceKind }) {
  const { t } = useTexts(meetingTexts);
  const { own } = useRoomContext();
  const devices = useStore(own.store, (state) => state.devices[kind]);
  const chosen = useStore(own.store, (state) => state.chosen[kind]);
  const named = devices.filter((device) => device.id !== '');
  const value = named.some((device) => device.id === chosen) ? (chosen ?? '') : (named[0]?.id ?? '');
  const label = t(`meeting:ready.${kind}`);
  return (
    <Select
      label={label}
      value={value}
      disabled={named.length === 0}
      onValueChange={(chosenId) => void own.choose(kind, chosenId)}
      options={
        named.length === 0
          ? [{ value: '', label: t(devices.length === 0 ? 'meeting:ready.none' : 'meeting:ready.standard') }]
          : named.map((device, index) => ({
              value: device.id,
              label: device.label || t('meeting:ready.unnamed', { kind: label, number: index + 1 }),
            }))
      }
    />
  );
}
