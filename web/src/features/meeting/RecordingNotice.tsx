import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { playTestSound } from '../../media/sound.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useRoom, useRoomClient, useRoomSession } from './roomContext.ts';

/** Nobody is recorded unawares: it is heard and said, and one may leave first. */
export function RecordingNotice() {
  const { t } = useTranslation();
  const client = useRoomClient();
  const { own } = useRoomSession();
  const speaker = useStore(own.store, (state) => state.chosen.speaker);
  const recording = useRoom((state) => state.meeting?.isRecording === true);
  const [answered, setAnswered] = useState(false);
  if (!recording && answered) setAnswered(false);
  useEffect(() => {
    // Where sound is held back the dialog says it alone.
    if (recording) void playTestSound(speaker).catch(() => undefined);
  }, [recording, speaker]);
  return (
    <Dialog
      open={recording && !answered}
      role="alert"
      size="small"
      onOpenChange={(open) => {
        if (!open) setAnswered(true);
      }}
      title={t('meeting.room.recordingTitle')}
      description={t('meeting.room.recordingText')}
      footer={
        <>
          <Button kind="secondary" onClick={() => client.leave()}>
            {t('meeting.room.leave')}
          </Button>
          <Button onClick={() => setAnswered(true)}>{t('meeting.room.stay')}</Button>
        </>
      }
    />
  );
}
