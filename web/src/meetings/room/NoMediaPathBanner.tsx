import { Unplug } from 'lucide-react';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { useRoomState, useRoomClient } from './roomContext.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Shows that there is no network path to the media node, and what to do. */
export function NoMediaPathBanner() {
  const { t } = useTexts(meetingTexts);
  const client = useRoomClient();
  const noPath = useRoomState((state) => state.noPath);
  if (!noPath) return null;
  return (
    <Banner
      tone="danger"
      icon={<Unplug />}
      action={
        <Button size="small" kind="secondary" onClick={() => void client.findPath()}>
          {t('common.retry')}
        </Button>
      }
    >
      {t('meeting:room.noPath')}
    </Banner>
  );
}
