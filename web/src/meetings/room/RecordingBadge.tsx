import { Square } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { classNames } from '../../ui/classNames.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { useRoomState, useRoomSession } from './roomContext.ts';

/** Shows that a recording is running. The recorder can end it here. */
export function RecordingBadge() {
  const { t } = useTranslation();
  const { recording } = useRoomSession();
  const runs = useRoomState((state) => state.meeting?.isRecording === true);
  const own = useStore(recording.store, (state) => state.name === 'running');
  if (!runs && !own) return null;
  const label = t(own ? 'meeting.recording.own' : 'meeting.room.recording');
  return (
    <span
      data-testid="recording"
      // The title shrinks to make room: on phones, this is a dot and, for the recorder, the stop button.
      className={classNames(
        'inline-flex min-w-0 items-center gap-1.5 rounded-full bg-danger-subtle py-0.5 text-12 font-medium text-danger-text max-sm:shrink-0',
        own ? 'ps-2.5 pe-1' : 'px-2.5',
      )}
    >
      <span aria-hidden="true" className="size-2 shrink-0 animate-pulse rounded-full bg-danger" />
      <span className="min-w-0 truncate max-sm:sr-only">{label}</span>
      {own ? (
        <Tooltip label={t('meeting.recording.stop')} side="bottom">
          <button
            type="button"
            aria-label={t('meeting.recording.stop')}
            onClick={() => void recording.stop()}
            className="tap inline-flex size-7 shrink-0 items-center justify-center rounded-full hover:bg-hover"
          >
            <Square aria-hidden="true" className="size-3.5 fill-current" />
          </button>
        </Tooltip>
      ) : (
        <span aria-hidden="true" className="-ms-1.5 h-7" />
      )}
    </span>
  );
}
