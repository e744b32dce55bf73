import { Phone, Video } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { requestCall, type CallTarget } from './callRequests.ts';
import { Button } from '../../ui/Button.tsx';
import { useCallUnavailableReason } from './CallButtons.tsx';
import { useAreCallsAvailable } from './useAreCallsAvailable.ts';

/** The two ways to call, with text labels, if there is room for them. */
export function CallChoices({ target }: { target: CallTarget }) {
  const { t } = useTranslation();
  const exist = useAreCallsAvailable();
  const hindrance = useCallUnavailableReason();
  if (!exist) return null;
  const disabled = hindrance !== undefined;
  return (
    <div className="grid w-full grid-cols-2 gap-2">
      <Button
        kind="secondary"
        icon={<Phone />}
        disabled={disabled}
        title={hindrance}
        onClick={() => requestCall(target, 'audio')}
      >
        {t('call.voice')}
      </Button>
      <Button
        kind="secondary"
        icon={<Video />}
        disabled={disabled}
        title={hindrance}
        onClick={() => requestCall(target, 'video')}
      >
        {t('call.video')}
      </Button>
      {hindrance !== undefined && <p className="col-span-2 text-center text-13 text-muted">{hindrance}</p>}
    </div>
  );
}
