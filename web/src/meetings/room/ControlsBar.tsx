import { Hand, Mic, MicOff, MonitorUp, MonitorX, PhoneOff, SmilePlus, Video, VideoOff } from 'lucide-react';
import { meetingReactions } from '@nolo/rules';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { listen } from '../../device/listen.ts';
import { browserSupport } from '../../device/browserSupport.ts';
import { isHosting } from '@nolo/client/rooms/roomState';
import { classNames } from '../../ui/classNames.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { controlClasses, type ControlsBarProps } from './controls.ts';
import { MoreMenu } from './MoreMenu.tsx';
import { useRoomState, useRoomClient } from './roomContext.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Centered bar: microphone, camera, share, hand, reactions, more, leave. */
export function ControlsBar(props: ControlsBarProps) {
  const { t } = useTexts(meetingTexts);
  const client = useRoomClient();
  const microphone = useRoomState((state) => state.microphone);
  const camera = useRoomState((state) => state.camera);
  const sharing = useRoomState((state) => state.sharing);
  const self = useRoomState((state) => state.participants[state.selfId ?? '']);
  const allowed = useRoomState((state) => state.meeting?.settings.allowScreenShare ?? true);
  const [reacting, setReacting] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!reacting) return undefined;
    return listen(window, ['pointerdown', 'keydown'], (event) => {
      const pressedInside = event.target instanceof Node && bar.current?.contains(event.target) === true;
      if (event instanceof KeyboardEvent ? event.key === 'Escape' : !pressedInside) setReacting(false);
    });
  }, [reacting]);
  const raised = self?.isHandRaised === true;
  // Phones cannot share a screen and have no button for it.
  const mayShare = browserSupport.shareScreen() && (allowed || isHosting(self));

  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t('meeting:room.controls')}
      className="relative flex flex-wrap items-center justify-center gap-2 px-2 pt-1 pb-[calc(0.75rem+env(safe-area-inset-bottom))] sm:gap-3"
    >
      <Control
        label={t(microphone ? 'meeting:room.microphoneOff' : 'meeting:room.microphoneOn')}
        keys="M"
        tone={microphone ? 'plain' : 'off'}
        onPress={() => void client.set('microphone', !microphone)}
        testId="control-microphone"
        pressed={microphone}
      >
        {microphone ? <Mic /> : <MicOff />}
      </Control>
      <Control
        label={t(camera ? 'meeting:room.cameraOff' : 'meeting:room.cameraOn')}
        keys="V"
        tone={camera ? 'plain' : 'off'}
        onPress={() => void client.set('camera', !camera)}
        testId="control-camera"
        pressed={camera}
      >
        {camera ? <Video /> : <VideoOff />}
      </Control>
      {mayShare && (
        <Control
          label={t(sharing ? 'meeting:room.stopSharing' : 'meeting:room.share')}
          tone={sharing ? 'on' : 'plain'}
          onPress={() => void client.share(!sharing)}
          testId="control-share"
          pressed={sharing}
        >
          {sharing ? <MonitorX /> : <MonitorUp />}
        </Control>
      )}
      <Control
        label={t(raised ? 'meeting:room.lowerHand' : 'meeting:room.hand')}
        keys="H"
        tone={raised ? 'on' : 'plain'}
        onPress={() => void client.setHand(!raised)}
        testId="control-hand"
        pressed={raised}
      >
        <Hand />
      </Control>
      <Control
        label={t('meeting:room.reactions')}
        tone={reacting ? 'on' : 'plain'}
        onPress={() => setReacting((open) => !open)}
        testId="control-reactions"
        expanded={reacting}
      >
        <SmilePlus />
      </Control>
      <MoreMenu {...props} />
      <Control label={t('meeting:room.leave')} keys="L" tone="leave" onPress={props.onLeave} testId="control-leave">
        <PhoneOff />
      </Control>
      {reacting && (
        <div
          role="group"
          aria-label={t('meeting:room.reactions')}
          className="absolute bottom-full flex animate-pop-in gap-1 rounded-full border border-line bg-overlay p-1.5 shadow-overlay"
        >
          {meetingReactions.map((reaction) => (
            <button
              key={reaction}
              type="button"
              aria-label={t('meeting:room.react', { reaction })}
              onClick={() => client.react(reaction)}
              className="inline-flex size-10 items-center justify-center rounded-full text-24 hover:bg-hover"
            >
              {reaction}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const tones = {
  plain: 'bg-raised text-ink hover:bg-overlay',
  off: 'bg-danger-subtle text-danger-text hover:bg-[color-mix(in_srgb,var(--nolo-danger-subtle),var(--nolo-ink)_8%)]',
  on: 'bg-accent text-on-accent hover:bg-accent-hover',
  leave: 'bg-danger text-on-danger hover:bg-danger-hover',
} as const;

interface ControlProps {
  label: string;
  keys?: string;
  tone: keyof typeof tones;
  pressed?: boolean;
  expanded?: boolean;
  onPress: () => void;
  testId: string;
  children: ReactNode;
}

function Control({ label, keys, tone, pressed, expanded, onPress, testId, children }: ControlProps) {
  return (
    <Tooltip label={keys === undefined ? label : `${label} (${keys})`}>
      <button
        type="button"
        aria-label={label}
        aria-keyshortcuts={keys}
        aria-expanded={expanded}
        data-on={pressed}
        data-testid={testId}
        onClick={onPress}
        className={classNames(controlClasses, tones[tone], tone === 'leave' && 'sm:w-16')}
      >
        {children}
      </button>
    </Tooltip>
  );
}
