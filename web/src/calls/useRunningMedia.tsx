import type { ReactNode } from 'react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { browserTimers } from '../api/timers.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { useSelf } from '../session/self.ts';
import type { CallMedia, CallProblem } from './media/CallMedia.ts';
import type { LocalDevices } from '../meetings/room/media/LocalDevices.ts';
import type { LiveCall } from './model/callPhase.ts';
import type { CallEngine } from './model/calls.ts';
import { callSession } from './callSession.ts';
import { optional } from '../ui/parts.tsx';

const loadSound = async () => (await import('./CallSound.tsx')).CallSound;
const CallSound = optional(loadSound);

interface Running {
  id: string;
  media: CallMedia;
  devices: LocalDevices;
}

interface Handlers {
  onProblem: (problem: CallProblem) => void;
  onTime: (endsAt: string | null) => void;
  iceServers: () => Promise<RTCIceServer[]>;
}

/** Where a call of this tab has media, or will have them with the press that answers it. */
function idWithMedia(live: LiveCall | null): string | null {
  if (live === null || live.phase === 'ended' || live.phase === 'starting') return null;
  return live.call?.id ?? null;
}

/**
 * What rings is not heard, and a browser that would refuse to play has no reason to say so yet. From the press that answers
 * it a browser opens its speaker, which takes it as long as the answer is on its way.
 */
function isHeard(live: Pick<LiveCall, 'phase' | 'answering'> | null): boolean {
  return live?.phase !== 'incoming' || live.answering;
}

/** Runs the media of the call of this tab. Their code comes over the line with the first call. */
export function useRunningMedia(
  engine: CallEngine,
  live: LiveCall | null,
  handlers: Handlers,
): { media: CallMedia | null; sound: ReactNode } {
  const self = useSelf();
  const { line } = useChat().engine;
  const [running, setRunning] = useState<Running | null>(null);
  const current = useRef(handlers);
  useEffect(() => {
    current.current = handlers;
  });
  const id = idWithMedia(live);

  useEffect(() => {
    if (id === null) return undefined;
    let over = false;
    let made: Running | null = null;
    const networkChanged = () => made?.media.networkChanged();
    const follow = () => {
      const now = engine.store.getState().live;
      if (now?.call?.id === id) made?.media.follow(now);
    };
    // Not with what is drawn of it: the way to the other is wanted the moment that somebody has answered.
    const stopFollowing = engine.store.subscribe(follow);
    void Promise.all([
      import('./media/CallMedia.ts'),
      import('../meetings/room/media/LocalDevices.ts'),
      import('../meetings/room/media/loadRoomMedia.ts'),
    ]).then(
      ([{ CallMedia }, { LocalDevices }, { loadRoomMedia, mediaFrames }]) => {
        if (over) return;
        const devices = new LocalDevices();
        const media = new CallMedia({
          selfId: self.id,
          engine,
          line,
          timers: browserTimers,
          own: devices,
          newId: () => crypto.randomUUID(),
          createPeer: (configuration) => new RTCPeerConnection(configuration),
          frames: mediaFrames(),
          iceServers: () => current.current.iceServers(),
          device: loadRoomMedia,
          onProblem: (problem) => current.current.onProblem(problem),
          onTime: (endsAt) => current.current.onTime(endsAt),
        });
        made = { id, media, devices };
        setRunning(made);
        callSession.setState({ media, devices });
        follow();
      },
      () => {
        // Nobody would hear anything, and nobody would say so.
        if (!over) engine.lost('failed');
      },
    );
    addEventListener('online', networkChanged);
    return () => {
      over = true;
      stopFollowing();
      removeEventListener('online', networkChanged);
      made?.media.close();
      made?.devices.stop();
      callSession.setState({ media: null, devices: null });
      setRunning(null);
    };
  }, [id, engine, line, self.id]);

  const waits = live?.phase === 'incoming' || live?.phase === 'outgoing';
  const mode = live?.call?.mode;
  useEffect(() => {
    if (!waits) return;
    // While it rings there is time to fetch what talking needs.
    void import('./CallScreen.tsx');
    void loadSound();
    if (mode === 'room') {
      void import('../meetings/room/media/loadRoomMedia.ts')
        .then(({ loadRoomMedia }) => loadRoomMedia())
        .catch(() => undefined);
    }
  }, [waits, mode]);

  return {
    media: running?.media ?? null,
    sound: running && isHeard(live) && (
      <Suspense>
        <CallSound media={running.media} devices={running.devices} />
      </Suspense>
    ),
  };
}
