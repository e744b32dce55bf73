import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useRoomState } from './roomContext.ts';

/** Shown while joining a room without the pre-join page. */
export function EnteringScreen({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  const preparing = useRoomState((state) => state.phase.name === 'preparing');
  return (
    <main
      data-testid="meeting-coming-in"
      className="grid h-dvh place-items-center bg-sunken p-6 text-center text-ink [color-scheme:dark]"
    >
      <div className="flex max-w-96 flex-col items-center gap-5 text-balance">
        <Spinner className="size-8 text-accent" />
        <p role="status" className="text-16">
          {t(preparing ? 'meeting.preparing' : 'meeting.ready.joining')}
        </p>
        <Button kind="secondary" onClick={onLeave}>
          {t('meeting.leaveScreen')}
        </Button>
      </div>
    </main>
  );
}
