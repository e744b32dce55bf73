import { Phone, Video } from 'lucide-react';
import { requestCall, type CallTarget } from './callRequests.ts';
import { Button } from '../../ui/Button.tsx';
import { useCallUnavailableReason } from './CallButtons.tsx';
import { useAreCallsAvailable } from './useAreCallsAvailable.ts';
import { useTexts } from '../../i18n/texts.ts';
import { callTexts } from '../words/callTexts.ts';

/** The two ways to call, with text labels, if there is room for them. */
export function CallChoices({ target }: { target: CallTarget }) {
  const { t } = useTexts(callTexts);
  const exist = useAreCallsAvailable();
  const hindrance = useCallUnavailableReason();
  if (!exist) return null;
  return (
    <div className="grid w-full grid-cols-2 gap-2">
      {(['audio', 'video'] as const).map((type) => (
        <Button
          key={type}
          kind="secondary"
          icon={type === 'video' ? <Video /> : <Phone />}
          disabled={hindrance !== undefined}
          title={hindrance}
          onClick={() => requestCall(target, type)}
        >
          {t(type === 'video' ? 'call:video' : 'call:voice')}
        </Button>
      ))}
      {hindrance !== undefined && <p className="col-span-2 text-center text-13 text-muted">{hindrance}</p>}
    </div>
  );
}
