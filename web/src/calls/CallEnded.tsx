import { MessageCircle, Phone, Video } from 'lucide-react';
import type { LiveCall } from './model/callPhase.ts';
import { requestCall } from '../chat/calling/callRequests.ts';
import { useSelf } from '../session/self.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { formatCallDuration } from '../chat/words/callWords.ts';
import { useCallTexts } from './useCallTexts.ts';
import { useDismissEndedCall } from './useDismissEndedCall.ts';
import { useCallPeer } from './useCallPeer.ts';
import { useCallStatusText } from './useCallStatusText.ts';

/** Shows how the call ended, for a moment, with a button to call again. */
export function CallEnded({ live, onLeave }: { live: LiveCall; onLeave: () => void }) {
  const { t } = useCallTexts();
  const peer = useCallPeer(live);
  const text = useCallStatusText(live, undefined);
  useDismissEndedCall(live, onLeave);
  const seconds = live.talkingSince === null || live.endedAt === null ? 0 : (live.endedAt - live.talkingSince) / 1_000;
  const { conversationId } = live;
  const self = useSelf();
  const calledBefore = live.call?.callerId === self.id || live.talkingSince !== null;
  return (
    <section className="flex min-h-0 flex-1 flex-col items-center justify-center gap-4 bg-page px-6 text-center text-ink [color-scheme:dark]">
      <Avatar name={peer.name} imageUrl={peer.imageUrl} size={96} className="mb-3 scale-125" />
      <h1 dir="auto" className="max-w-full text-24 font-semibold wrap-anywhere">
        {peer.name}
      </h1>
      <div role="status" className="text-16 text-muted">
        <p>{text}</p>
        {seconds >= 1 && (
          <p className="tabular mt-1 text-14">{t('calls.lasted', { time: formatCallDuration(seconds) })}</p>
        )}
      </div>
      <div className="mt-2 flex max-w-80 flex-wrap justify-center gap-2 *:grow">
        <Button kind="secondary" icon={conversationId === null ? undefined : <MessageCircle />} onClick={onLeave}>
          {t(conversationId === null ? 'calls.close' : 'calls.message')}
        </Button>
        {conversationId !== null && (
          <Button
            icon={live.type === 'video' ? <Video /> : <Phone />}
            onClick={() => requestCall({ conversationId }, live.type)}
          >
            {t(calledBefore ? 'calls.callAgain' : 'call.back')}
          </Button>
        )}
      </div>
    </section>
  );
}
