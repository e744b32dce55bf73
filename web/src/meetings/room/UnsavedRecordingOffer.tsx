import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { listen } from '../../device/listen.ts';
import { useLocale } from '../../i18n/locale.ts';
import type { MeetingRecording } from './media/MeetingRecording.ts';
import { sizeInWords, hasUnsavedRecording } from './model/recording.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Unsaved finished recording, offered on any screen. Until it is saved, the browser asks before closing the page. */
export function UnsavedRecordingOffer({ recording }: { recording: MeetingRecording }) {
  const { t } = useTexts(meetingTexts);
  const locale = useLocale();
  const state = useStore(recording.store);
  const [discarding, setDiscarding] = useState(false);
  const lost = hasUnsavedRecording(state);
  useEffect(() => (lost ? listen(window, ['beforeunload'], (event) => event.preventDefault()) : undefined), [lost]);
  const file = state.name === 'ready' ? state.file : undefined;
  if (!file && discarding) setDiscarding(false);
  return (
    <Dialog
      open={state.name === 'finishing' || file !== undefined}
      role="alert"
      size="small"
      // The dialog closes only through its buttons.
      onOpenChange={() => {}}
      title={t(
        discarding
          ? 'meeting:recording.discardTitle'
          : file
            ? file.cut === undefined
              ? 'meeting:recording.readyTitle'
              : 'meeting:recording.endedTitle'
            : 'meeting:recording.finishing',
      )}
      description={
        discarding
          ? t('meeting:recording.discardText')
          : file
            ? [
                ...(file.cut === undefined ? [] : [t(`meeting:recording.cut.${file.cut}`)]),
                t('meeting:recording.readyText'),
              ].join(' ')
            : t('meeting:recording.finishingText')
      }
      footer={
        file &&
        (discarding ? (
          <>
            <Button kind="secondary" onClick={() => setDiscarding(false)}>
              {t('common.cancel')}
            </Button>
            <Button kind="danger" onClick={() => recording.discard()}>
              {t('meeting:recording.discard')}
            </Button>
          </>
        ) : (
          <>
            <Button kind="secondary" onClick={() => setDiscarding(true)}>
              {t('meeting:recording.discard')}
            </Button>
            <Button icon={<Download />} onClick={() => recording.save()}>
              {t('meeting:recording.download')}
            </Button>
          </>
        ))
      }
    >
      {file ? (
        <p className="rounded-card border border-line px-3.5 py-2.5 text-14">
          <span dir="auto" className="block font-medium break-words">
            {file.name}
          </span>
          <span className="tabular text-13 text-muted">{sizeInWords(file.bytes, locale)}</span>
        </p>
      ) : (
        <Spinner className="size-6 text-accent" />
      )}
    </Dialog>
  );
}
