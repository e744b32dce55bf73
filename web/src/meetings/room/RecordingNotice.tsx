import { useEffect, useEffectEvent, useState } from 'react';
import { useStore } from 'zustand';
import { playRecordingChime } from './media/sound.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useRoomState, useRoomClient, useRoomSession } from './roomContext.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Notifies participants of a recording by sound and text, and lets them leave first. */
export function RecordingNotice() {
  const { t } = useTexts(meetingTexts);
  const client = useRoomClient();
  const { own } = useRoomSession();
  const speaker = useStore(own.store, (state) => state.chosen.speaker);
  const recording = useRoomState((state) => state.meeting?.isRecording === true);
  const ours = useRoomState((state) => state.selfId !== null && state.meeting?.recorderId === state.selfId);
  const recorder = useRoomState((state) => state.participants[state.meeting?.recorderId ?? '']?.name);
  const [answered, setAnswered] = useState(false);
  if (!recording && answered) setAnswered(false);
  // If sound is blocked, the dialog alone notifies the user.
  const chime = useEffectEvent(() => void playRecordingChime(speaker).catch(() => undefined));
  useEffect(() => {
    if (recording) chime();
  }, [recording]);
  return (
    <Dialog
      open={recording && !ours && !answered}
      role="alert"
      size="small"
      onOpenChange={(open) => !open && setAnswered(true)}
      title={t('meeting:room.recordingTitle')}
      description={
        <>
          {recorder !== undefined && (
            <span className="mb-1 block">{t('meeting:recording.by', { name: recorder })}</span>
          )}
          {t('meeting:room.recordingText')}
        </>
      }
      footer={
        <>
          <Button kind="secondary" onClick={() => client.leave()}>
            {t('meeting:room.leave')}
          </Button>
          <Button onClick={() => setAnswered(true)}>{t('meeting:room.stay')}</Button>
        </>
      }
    />
  );
}
