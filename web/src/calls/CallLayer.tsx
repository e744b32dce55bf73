import { routes } from '@nolo/api';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { ApiError, call } from '../api/httpClient.ts';
import { browserTimers } from '../api/timers.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { useSelf } from '../session/self.ts';
import { formatClockTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { explainFailure } from '../i18n/explainFailure.ts';
import type { CallProblem } from './media/CallMedia.ts';
import { callProblemKeys } from './callProblemKeys.ts';
import { claimCallDeviceId } from './model/claimCallDeviceId.ts';
import type { LiveCall } from './model/callPhase.ts';
import { callRequestStore } from '../chat/calling/callRequests.ts';
import type { CallNotice, CallApi, CallFailure } from './model/callPorts.ts';
import { createCallEngine, type CallEngine } from './model/callEngine.ts';
import { toast } from '../ui/toasts.ts';
import { useCloseOverlayOnBack } from '../ui/useCloseOverlayOnBack.ts';
import { CallPill } from './CallPill.tsx';
import { callPath, callSession } from './callSession.ts';
import { GroupCallLayer } from './GroupCallLayer.tsx';
import { IncomingCall } from './IncomingCall.tsx';
import { useCallPeer } from './useCallPeer.ts';
import { useRinging } from './useRinging.ts';
import { useRunCallMedia } from './useRunCallMedia.tsx';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

/** Number of latest calls searched for an ongoing one. */
const latest = 10;

const callApi: CallApi = {
  conversationWith: async (otherUserId) => (await call(routes.startConversation, { body: { otherUserId } })).id,
  initiate: (conversationId, callType, deviceId) =>
    call(routes.initiateCall, { body: { conversationId, callType, deviceId } }),
  list: () => call(routes.listCalls, { query: { limit: latest } }),
  get: (id) => call(routes.getCall, { params: { id } }),
  answer: (id, deviceId, signalData) =>
    call(routes.answerCall, { params: { id }, body: { deviceId, ...(signalData && { signalData }) } }),
  decline: (id) => call(routes.declineCall, { params: { id } }),
  end: (id) => call(routes.endCall, { params: { id } }),
  update: (id, change) => call(routes.updateCall, { params: { id }, body: change }),
  invite: (id, userId) => call(routes.inviteToCall, { params: { id }, body: { userId } }),
};

const callFailureOf = (error: unknown): CallFailure =>
  error instanceof ApiError ? { passing: error.passing, code: error.code } : { passing: false, code: 'unknown_error' };

/** Device id for the life of the page, even if the user signs out and in again. */
let device: string | undefined;

function useEngine(): CallEngine {
  const { t, i18n } = useTexts(callsTexts);
  const self = useSelf();
  const { socket } = useChat().engine;
  const showNotice = (notice: CallNotice): void => {
    if (notice.kind === 'elsewhere') {
      toast({ title: t('calls:answeredElsewhere') });
      return;
    }
    const titles = { start: t('calls:startFailed'), answer: t('calls:answerFailed'), change: t('calls:changeFailed') };
    const { error, step } = notice;
    const words = error instanceof ApiError ? explainFailure(i18n, error) : t('errors.network');
    toast({ kind: 'error', title: titles[step], ...(words && { description: words }) });
  };
  const [ears] = useState(() => new Set<(notice: CallNotice) => void>());
  const [engine] = useState(() => {
    device ??= claimCallDeviceId(sessionStorage, window, () => crypto.randomUUID());
    return createCallEngine({
      selfId: self.id,
      deviceId: device,
      api: callApi,
      socket,
      timers: browserTimers,
      failureOf: callFailureOf,
      prepared: () => callSession.getState().media?.answer() ?? null,
      onNotice: (notice) => {
        for (const listener of ears) listener(notice);
      },
    });
  });
  useEffect(() => {
    ears.add(showNotice);
    return () => void ears.delete(showNotice);
  });
  useEffect(() => {
    engine.start();
    callSession.setState({ engine });
    return () => {
      engine.stop();
      callSession.setState({ engine: null });
      callRequestStore.setState({ busy: false, wanted: null, toAnswer: null });
    };
  }, [engine]);
  return engine;
}

/** Handles the requests of call buttons, and reports if there is a call. */
function useRequests(engine: CallEngine): void {
  useEffect(() => {
    const take = () => {
      const { wanted } = callRequestStore.getState();
      // GroupCallLayer handles group calls.
      if (!wanted || 'groupId' in wanted.target) return;
      callRequestStore.setState({ wanted: null });
      void engine.begin(wanted.target, wanted.type);
    };
    const answer = () => {
      const { live } = engine.store.getState();
      if (live?.phase !== 'incoming' || live.call?.id !== callRequestStore.getState().toAnswer) return;
      callRequestStore.setState({ toAnswer: null });
      void engine.answer(live.type === 'video');
    };
    const notify = () => {
      const { live } = engine.store.getState();
      const busy = live !== null && live.phase !== 'ended';
      if (callRequestStore.getState().busy !== busy) callRequestStore.setState({ busy });
    };
    take();
    notify();
    answer();
    const stops = [
      callRequestStore.subscribe(take),
      callRequestStore.subscribe(answer),
      engine.store.subscribe(notify),
      engine.store.subscribe(answer),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [engine]);
}

/** Opens the screen of a call that starts or is answered here, but not of one that continues after a reload. */
function useWayToTheCall(engine: CallEngine, open: (live: LiveCall) => void): void {
  useEffect(
    () =>
      engine.store.subscribe(({ live }, { live: before }) => {
        const waited = before?.phase === 'starting' || before?.phase === 'incoming';
        const goesOn = live?.phase !== 'starting' && live?.phase !== 'incoming';
        if (waited && live && goesOn) open(live);
      }),
    [engine, open],
  );
}

function useProblemWords(): (problem: CallProblem) => void {
  const { t } = useTexts(callsTexts);
  const lastProblem = useRef<CallProblem['kind'] | null>(null);
  return useCallback(
    (problem) => {
      const keys = callProblemKeys(problem);
      if (keys === undefined) return;
      if (keys.text === undefined) return void toast({ kind: keys.kind, title: t(keys.title) });
      // Browsers refuse both devices together; one message is enough.
      if (lastProblem.current === problem.kind) return;
      lastProblem.current = problem.kind;
      setTimeout(() => (lastProblem.current = null), 2_000);
      toast({ kind: keys.kind, title: t(keys.title), description: t(keys.text) });
    },
    [t],
  );
}

/** Shows the time limit that the caller's plan sets for calls of three or more. */
function useTimeWords(): (endsAt: string | null) => void {
  const { t } = useTexts(callsTexts);
  const locale = useLocale();
  return (endsAt) =>
    toast({
      title:
        endsAt === null
          ? t('calls:timeOver')
          : t('calls:timeWarning', { time: formatClockTime(Date.parse(endsAt), locale) }),
    });
}

/**
 * Shows calls outside of their own screen: ringing ones, and the ongoing one while the user looks at something else.
 */
export function CallLayer() {
  const { t } = useTexts(callsTexts);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const engine = useEngine();
  const live = useStore(engine.store, (state) => state.live);
  const peer = useCallPeer(live);
  const onProblem = useProblemWords();
  const onTime = useTimeWords();
  const iceServers = useCallback(() => call(routes.getIceServers) as Promise<RTCIceServer[]>, []);
  const { media, sound } = useRunCallMedia(engine, live, { onProblem, onTime, iceServers });
  const open = useCallback(
    ({ call: known, type }: LiveCall) => {
      if (known) void navigate(callPath(known.id, type));
    },
    [navigate],
  );
  useRequests(engine);
  useWayToTheCall(engine, open);
  useRinging(live, t('calls:isCalling', { name: peer.name }));
  const minimise = useCallback(() => engine.setMinimised(true), [engine]);

  const onItsScreen = live?.call !== null && live !== null && pathname === `/meeting/${live.call.id}`;
  const overlay = live?.phase === 'incoming' && !live.minimised;
  useCloseOverlayOnBack(overlay, minimise);
  const pill = live !== null && !overlay && !onItsScreen;
  return (
    <>
      {sound}
      <GroupCallLayer />
      {overlay && (
        <IncomingCall
          live={live}
          onAnswer={(withCamera) => void engine.answer(withCamera)}
          onDecline={() => engine.decline()}
          onMinimise={minimise}
        />
      )}
      {pill && (
        <CallPill
          live={live}
          media={media}
          onOpen={() => (live.phase === 'incoming' ? engine.setMinimised(false) : open(live))}
          onAnswer={() => void engine.answer(live.type === 'video')}
          onEnd={() => (live.phase === 'incoming' ? engine.decline() : engine.end())}
          onLeave={() => engine.dismiss()}
        />
      )}
    </>
  );
}
