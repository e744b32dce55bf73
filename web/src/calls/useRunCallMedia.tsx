import { Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { listen } from '../device/listen.ts';
import { browserTimers } from '../api/timers.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { useSelf } from '../session/self.ts';
import type { CallMedia, CallProblem } from './media/CallMedia.ts';
import type { LocalDevices } from '../meetings/room/media/LocalDevices.ts';
import type { LiveCall } from './model/callPhase.ts';
import type { CallEngine } from './model/callEngine.ts';
import { callSession } from './callSession.ts';
import { lazyOptional } from '../ui/lazyComponents.tsx';
import { withTexts } from '../i18n/texts.ts';

const loadSound = async () => (await withTexts(import('./CallSound.tsx'))).CallSound;
const CallSound = lazyOptional(loadSound);

interface Running {
  id: string;
  media: CallMedia;
  devices: LocalDevices;
}

/** Returns the id of a call of this tab that has media, or will have them after the press that answers it. */
function idWithMedia(live: LiveCall | null): string | null {
  if (live === null || live.phase === 'ended' || live.phase === 'starting') return null;
  return live.call?.id ?? null;
}

/**
 * Returns true if audio should play. A ringing call is silent, so a browser that would refuse to play need not report
 * it yet. The press that answers lets the browser open its speaker, which takes as long as sending the answer.
 */
function isAudible(live: Pick<LiveCall, 'phase' | 'answering'> | null): boolean {
  return live?.phase !== 'incoming' || live.answering;
}

/** Runs the media of this tab's call. Their code is loaded with the first call. */
export function useRunCallMedia(
  engine: CallEngine,
  live: LiveCall | null,
  handlers: {
    onProblem: (problem: CallProblem) => void;
    onTime: (endsAt: string | null) => void;
    iceServers: () => Promise<RTCIceServer[]>;
  },
): { media: CallMedia | null; sound: ReactNode } {
  const self = useSelf();
  const { socket } = useChat().engine;
  const [running, setRunning] = useState<Running | null>(null);
  const onProblem = useEffectEvent(handlers.onProblem);
  const onTime = useEffectEvent(handlers.onTime);
  const iceServers = useEffectEvent(handlers.iceServers);
  const id = idWithMedia(live);

  useEffect(() => {
    if (id === null) return undefined;
    let over = false;
    let made: Running | null = null;
    const follow = () => {
      const now = engine.store.getState().live;
      if (now?.call?.id === id) made?.media.follow(now);
    };
    // Independent of rendering: the path is needed the moment someone has answered.
    const stopFollowing = engine.store.subscribe(follow);
    void Promise.all([
      import('./media/CallMedia.ts'),
      import('../meetings/room/media/LocalDevices.ts'),
      import('../meetings/room/media/loadMediaDevice.ts'),
    ]).then(
      ([{ CallMedia }, { LocalDevices }, { loadMediaDevice, getMediaFrameTransforms }]) => {
        if (over) return;
        const devices = new LocalDevices();
        const media = new CallMedia({
          selfId: self.id,
          engine,
          socket,
          timers: browserTimers,
          own: devices,
          newId: () => crypto.randomUUID(),
          createPeer: (configuration) => new RTCPeerConnection(configuration),
          frames: getMediaFrameTransforms(),
          iceServers: () => iceServers(),
          device: loadMediaDevice,
          onProblem: (problem) => onProblem(problem),
          onTime: (endsAt) => onTime(endsAt),
        });
        made = { id, media, devices };
        setRunning(made);
        callSession.setState({ media, devices });
        follow();
      },
      () => {
        // The call would be silent, without any notice.
        if (!over) engine.lost('failed');
      },
    );
    const stopListening = listen(window, ['online'], () => made?.media.networkChanged());
    return () => {
      over = true;
      stopFollowing();
      stopListening();
      made?.media.close();
      made?.devices.stop();
      callSession.setState({ media: null, devices: null });
      setRunning(null);
    };
  }, [id, engine, socket, self.id]);

  const waits = live?.phase === 'incoming' || live?.phase === 'outgoing';
  const mode = live?.call?.mode;
  useEffect(() => {
    if (!waits) return;
    // Ringing leaves time to load what the conversation needs.
    void withTexts(import('./CallScreen.tsx'));
    void loadSound();
    if (mode === 'room') {
      void import('../meetings/room/media/loadMediaDevice.ts')
        .then(({ loadMediaDevice }) => loadMediaDevice())
        .catch(() => undefined);
    }
  }, [waits, mode]);

  return {
    media: running?.media ?? null,
    sound: running && isAudible(live) && (
      <Suspense>
        <CallSound media={running.media} devices={running.devices} />
      </Suspense>
    ),
  };
}
