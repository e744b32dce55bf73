import { routes, type GroupRing } from '@nolo/api';
import type { CallType } from '@nolo/rules';
import { useCallback, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { ApiError, call } from '../api/httpClient.ts';
import { browserTimers } from '../api/timers.ts';
import { callRequestStore } from '../chat/calling/callRequests.ts';
import { useChat, useChatState } from '../chat/context/chatContext.ts';
import { conversationName } from '../chat/words/conversationName.ts';
import { usePeopleNames } from '../chat/words/peopleNames.ts';
import { explainFailure } from '../i18n/explainFailure.ts';
import { meetingPath } from '../shell/meetingPath.ts';
import { toast } from '../ui/toasts.ts';
import { useCloseOverlayOnBack } from '../ui/useCloseOverlayOnBack.ts';
import { createGroupRingTracker } from './model/groupRingTracker.ts';
import { RingingPanel } from './RingingPanel.tsx';
import { playRingtone } from './ringtone.ts';
import { useBlinkingTitle } from './useRinging.ts';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

function useGroupRings() {
  const { socket } = useChat().engine;
  const [rings] = useState(() =>
    createGroupRingTracker({
      socket,
      timers: browserTimers,
      list: () => call(routes.listGroupRings),
      decline: (id) => call(routes.declineGroupCall, { params: { id } }),
    }),
  );
  useEffect(() => {
    rings.start();
    return () => rings.stop();
  }, [rings]);
  return rings;
}

/** Returns a function that enters the room at once, with the devices that the button named. */
function useEnter() {
  const navigate = useNavigate();
  return useCallback(
    (roomCode: string, type: CallType) => {
      const comesIn = { microphone: true, camera: type === 'video' };
      void navigate(meetingPath(roomCode), { state: { comesIn } });
    },
    [navigate],
  );
}

/** Starts a group's call when a button requests it, or joins the ongoing one. */
function useGroupRequests(enter: (roomCode: string, type: CallType) => void): void {
  const { t, i18n } = useTexts(callsTexts);
  const wanted = useStore(callRequestStore, (state) => state.wanted);
  const target = wanted?.target;
  const groupId = target && 'groupId' in target ? target.groupId : undefined;
  const type = wanted?.type;
  useEffect(() => {
    if (groupId === undefined || type === undefined) return;
    callRequestStore.setState({ wanted: null });
    call(routes.callGroup, { params: { id: groupId }, body: { callType: type } })
      .then(({ roomCode }) => enter(roomCode, type))
      .catch((error: unknown) => {
        const description = error instanceof ApiError ? explainFailure(i18n, error) : t('errors.network');
        toast({ kind: 'error', title: t('calls:startFailed'), ...(description && { description }) });
      });
  }, [groupId, type, enter, t, i18n]);
}

/** Group calls: starts them, and rings for those of others. A call between two people takes precedence. */
export function GroupCallLayer() {
  const rings = useGroupRings();
  const enter = useEnter();
  useGroupRequests(enter);
  const [ring] = useStore(rings.store, (state) => state.rings);
  const busy = useStore(callRequestStore, (state) => state.busy);
  const toAnswer = useStore(callRequestStore, (state) => state.toAnswer);
  const answer = useCallback(
    (one: GroupRing, type: CallType) => {
      rings.drop(one.callId);
      enter(one.roomCode, type);
    },
    [rings, enter],
  );
  useEffect(() => {
    // The user answered in a notification.
    if (ring === undefined || ring.callId !== toAnswer) return;
    callRequestStore.setState({ toAnswer: null });
    answer(ring, ring.type);
  }, [ring, toAnswer, answer]);
  if (ring === undefined || busy) return null;
  return (
    <GroupRinging
      key={ring.callId}
      ring={ring}
      onAnswer={(withCamera) => answer(ring, withCamera ? 'video' : 'audio')}
      onDecline={() => rings.decline(ring)}
      onMinimise={() => rings.drop(ring.callId)}
    />
  );
}

interface GroupRingingProps {
  ring: GroupRing;
  onAnswer: (withCamera: boolean) => void;
  onDecline: () => void;
  /** Silences the ringing here; the group still shows that a call is in progress. */
  onMinimise: () => void;
}

function GroupRinging({ ring, onAnswer, onDecline, onMinimise }: GroupRingingProps) {
  const { t } = useTexts(callsTexts);
  const { nameOf } = usePeopleNames();
  const group = useChatState((state) => state.conversations[ring.groupId]);
  const name = group ? conversationName(group, t) : t('chats.group');
  const video = ring.type === 'video';
  const caller = nameOf(ring.callerId);
  const spoken = t('calls:isCallingGroup', { name: caller, group: name });
  useEffect(() => playRingtone('incoming'), []);
  useBlinkingTitle(spoken);
  useCloseOverlayOnBack(true, onMinimise);
  return (
    <RingingPanel
      name={name}
      imageUrl={group?.pictureUrl ?? null}
      spoken={spoken}
      kind={t(video ? 'calls:groupVideo' : 'calls:groupAudio', { name: caller })}
      video={video}
      answering={null}
      onAnswer={onAnswer}
      onDecline={onDecline}
      onMinimise={onMinimise}
    />
  );
}
