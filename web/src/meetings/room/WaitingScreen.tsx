import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { BrandLogo } from '../brand/BrandLogo.tsx';
import { useRoomState } from './roomContext.ts';

/** Lobby, until a host admits the user. */
export function WaitingScreen({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  const name = useRoomState((state) => state.meeting?.name);
  const brand = useRoomState((state) => state.meeting?.brand);
  const reconnecting = useRoomState((state) => state.reconnecting);
  const guarded = useRoomState((state) => state.guarded);
  return (
    <main className="grid h-dvh place-items-center bg-page p-6 text-center" data-testid="meeting-waiting">
      <div role="status" className="flex max-w-96 flex-col items-center text-balance">
        {brand && <BrandLogo brand={brand} className="mb-8 max-w-full" />}
        <Spinner className="mb-5 size-8 text-accent" />
        {name !== undefined && <p className="mb-1 text-14 text-muted">{name}</p>}
        <h1 className="text-20 font-semibold">{t('meeting.waiting.title')}</h1>
        <p className="mt-2 text-14 text-muted">
          {t(reconnecting ? 'meeting.room.reconnecting' : 'meeting.waiting.text')}
        </p>
        {guarded && <p className="mt-2 text-14 text-muted">{t('meeting.waiting.guarded')}</p>}
        <Button kind="secondary" className="mt-6" onClick={onLeave}>
          {t('meeting.waiting.leave')}
        </Button>
      </div>
    </main>
  );
}
