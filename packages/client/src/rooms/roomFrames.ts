import type { ServerEventData, ServerEventName } from '@nolo/api';
import {
  withParticipantChanged,
  withParticipantJoined,
  withLobby,
  withMeetingState,
  withReaction,
  withSpeakers,
  withoutParticipant,
} from './roomChanges.ts';
import type { HostIntervention, RoomEndReason, RoomStore, RoomState } from './roomState.ts';
import type { Timers } from '../ports.ts';
import type { SocketConnection } from '../socket/socketRequests.ts';
import type { MediaNodeConnection } from './MediaNodeConnection.ts';

/** Milliseconds that a reaction floats. */
const reactionMs = 4_000;

/** Room as the frames about it see and change it. */
interface FramedRoom {
  readonly store: RoomStore;
  readonly codes: Set<string>;
  readonly participantId: string;
  readonly plane: Pick<MediaNodeConnection, 'add' | 'remove' | 'setPaused' | 'setLayers' | 'rebuild'> | undefined;
  enter(): Promise<void>;
  obey(what: HostIntervention): Promise<void>;
  over(reason: RoomEndReason): void;
}

/** Applies the server's frames about a room. Returns a function that stops it. */
export function subscribeToRoomFrames(
  client: FramedRoom,
  { socket, timers }: { socket: SocketConnection; timers: Timers },
): () => void {
  const { store, codes } = client;
  const ends: (() => void)[] = [];
  /** Frames that arrived before the response to joining. */
  let early: (() => void)[] = [];

  const patch = (change: (state: RoomState) => Partial<RoomState>) => store.setState(change(store.getState()));
  /** Checks frames for everyone inside. Users who joined with an older code receive that code in frames. */
  const isOurs = (roomCode: string, participantId?: string) =>
    codes.has(roomCode) || (participantId !== undefined && store.getState().participants[participantId] !== undefined);
  const whenInside = (task: () => void) => {
    const { phase } = store.getState();
    if (phase.name === 'joined') task();
    else early.push(task);
  };
  const on = <N extends ServerEventName>(type: N, handler: (data: ServerEventData<N>) => void) =>
    ends.push(socket.subscribe(type, handler));
  /** Subscribes to frames for this participant only. */
  const onOwn = <
    N extends
      | 'media_consumer_added'
      | 'media_consumer_closed'
      | 'media_consumer_paused'
      | 'media_layers'
      | 'media_speakers'
      | 'media_score'
      | 'media_moved'
      | 'meeting_asked'
      | 'meeting_admitted'
      | 'meeting_denied',
  >(
    type: N,
    handler: (data: ServerEventData<N>) => void,
  ) => on(type, (data) => void (data.participantId === client.participantId && handler(data)));

  ends.push(
    store.subscribe(({ phase }, before) => {
      if (phase.name !== 'joined' || before.phase.name === 'joined') return;
      const tasks = early;
      early = [];
      for (const task of tasks) task();
    }),
  );

  on('meeting_participant_joined', ({ roomCode, participant }) => {
    if (isOurs(roomCode, participant.id) && participant.id !== client.participantId) {
      whenInside(() => patch((state) => withParticipantJoined(state, participant)));
    }
  });
  on('meeting_participant_changed', ({ roomCode, participant }) => {
    if (isOurs(roomCode, participant.id))
      whenInside(() => patch((state) => withParticipantChanged(state, participant)));
  });
  on('meeting_participant_left', ({ roomCode, participantId, reason, version }) => {
    if (!isOurs(roomCode, participantId)) return;
    if (participantId !== client.participantId) {
      whenInside(() => patch((state) => withoutParticipant(state, { participantId, reason, version })));
    } else if (reason === 'removed') client.over('removed');
    // The lease was not renewed in time, although this client is present.
    else if (reason === 'lost') void client.enter();
  });
  on('meeting_changed', ({ roomCode, meeting }) => {
    if (!isOurs(roomCode)) return;
    codes.add(meeting.roomCode);
    whenInside(() => patch((state) => withMeetingState(state, meeting)));
  });
  on('meeting_ended', ({ roomCode, reason }) => {
    if (isOurs(roomCode)) client.over(reason);
  });
  on('meeting_time_warning', ({ roomCode, endsAt, planMinutes }) => {
    if (isOurs(roomCode)) patch(() => ({ warnedEndsAt: endsAt, planMinutes: planMinutes ?? null }));
  });
  on('meeting_reaction', ({ roomCode, participantId, reaction }) => {
    if (!isOurs(roomCode, participantId) || store.getState().phase.name !== 'joined') return;
    const { reactionId, ...change } = withReaction(store.getState(), { participantId, reaction });
    store.setState(change);
    timers.after(reactionMs, () =>
      patch((state) => ({ reactions: state.reactions.filter(({ id }) => id !== reactionId) })),
    );
  });
  on('meeting_lobby', ({ roomCode, waiting, version }) => {
    if (isOurs(roomCode)) whenInside(() => patch((state) => withLobby(state, waiting, version)));
  });
  onOwn('meeting_admitted', () => void client.enter());
  onOwn('meeting_denied', () => client.over('denied'));
  onOwn('meeting_asked', ({ what }) => {
    if (what === 'removed') client.over('removed');
    else void client.obey(what);
  });
  onOwn('media_consumer_added', ({ consumer }) => whenInside(() => client.plane?.add(consumer)));
  onOwn('media_consumer_closed', ({ consumerId }) => whenInside(() => client.plane?.remove(consumerId)));
  onOwn('media_consumer_paused', ({ consumerId, paused }) =>
    whenInside(() => client.plane?.setPaused(consumerId, paused)),
  );
  onOwn('media_layers', ({ producerId, layers }) => whenInside(() => client.plane?.setLayers(producerId, layers)));
  onOwn('media_speakers', ({ speakers }) =>
    whenInside(() =>
      patch((state) =>
        withSpeakers(
          state,
          speakers.map(({ participantId }) => participantId),
        ),
      ),
    ),
  );
  onOwn('media_score', ({ send, poor }) => whenInside(() => patch(() => ({ sendScore: send, poor }))));
  onOwn('media_moved', () => void client.plane?.rebuild());

  return () => {
    for (const end of ends) end();
  };
}
