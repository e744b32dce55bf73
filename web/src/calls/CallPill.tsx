import { Mic, MicOff, Phone, PhoneOff, UsersRound, X } from 'lucide-react';
import { useStore } from 'zustand';
import type { CallMedia } from './media/CallMedia.ts';
import type { LiveCall } from './model/callPhase.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { PlainIconButton } from '../ui/PlainIconButton.tsx';
import { useDismissEndedCall } from './useDismissEndedCall.ts';
import { classNames } from '../ui/classNames.ts';
import { useCallPeer } from './useCallPeer.ts';
import { CallStatus } from './VoiceCallView.tsx';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

export interface CallPillProps {
  live: LiveCall;
  media: CallMedia | null;
  onOpen: () => void;
  onAnswer: () => void;
  /** Hangs up, or declines a ringing call. */
  onEnd: () => void;
  /** Removes the pill once the call is over. */
  onLeave: () => void;
}

/**
 * Call indicator while the user looks at something else: who, how long, and a way back; for a moment, also how it
 * ended.
 */
export function CallPill({ live, media, onOpen, onAnswer, onEnd, onLeave }: CallPillProps) {
  const { t } = useTexts(callsTexts);
  const peer = useCallPeer(live);
  const incoming = live.phase === 'incoming';
  const ended = live.phase === 'ended';
  const several = !ended && peer.inside > 2;
  useDismissEndedCall(live, onLeave);
  return (
    <aside
      aria-label={t('calls:callWith', { name: peer.names })}
      data-call-pill
      // Every screen leaves space for it at the top, so that it covers nothing.
      className="fixed start-1/2 top-[calc(env(safe-area-inset-top)+0.375rem)] z-45 flex max-w-[calc(100vw-1.5rem)] -translate-x-1/2 animate-pop-in items-center gap-1 rounded-full border border-line bg-overlay p-1 text-ink shadow-overlay rtl:translate-x-1/2"
    >
      <button
        type="button"
        onClick={onOpen}
        className="tap flex h-10 min-w-0 items-center gap-2.5 rounded-full ps-1 pe-3 text-start hover:bg-hover"
      >
        <span className="sr-only">{t(incoming ? 'calls:showIncoming' : 'calls:back')}</span>
        {several ? (
          <span className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-subtle text-accent-text [&_svg]:size-4">
            <UsersRound aria-hidden="true" />
          </span>
        ) : (
          <Avatar name={peer.name} imageUrl={peer.imageUrl} size={32} />
        )}
        <span className="min-w-0 text-13 leading-tight">
          <span dir="auto" className="block max-w-40 truncate font-semibold">
            {several ? t('calls:people', { count: peer.inside }) : peer.name}
          </span>
          <CallStatus
            live={live}
            media={media}
            className={classNames('block truncate text-12', ended ? 'text-muted' : 'text-accent-text')}
          />
        </span>
      </button>
      {media && !incoming && !ended && <PillMicrophone media={media} />}
      {incoming && (
        <PlainIconButton
          label={t('calls:answer')}
          icon={<Phone />}
          kind="solid"
          className="rounded-full!"
          onClick={onAnswer}
        />
      )}
      {ended ? (
        <PlainIconButton label={t('calls:close')} icon={<X />} className="rounded-full!" onClick={onLeave} />
      ) : (
        <PlainIconButton
          label={t(incoming ? 'calls:decline' : 'calls:end')}
          icon={<PhoneOff />}
          className="rounded-full! bg-danger text-on-danger! hover:bg-danger-hover!"
          onClick={onEnd}
        />
      )}
    </aside>
  );
}

function PillMicrophone({ media }: { media: CallMedia }) {
  const { t } = useTexts(callsTexts);
  const on = useStore(media.store, (state) => state.microphone);
  return (
    <PlainIconButton
      label={t(on ? 'calls:microphoneOff' : 'calls:microphoneOn')}
      icon={on ? <Mic /> : <MicOff />}
      aria-pressed={!on}
      className="rounded-full! aria-pressed:text-danger-text!"
      onClick={() => void media.set('microphone', !on)}
    />
  );
}
