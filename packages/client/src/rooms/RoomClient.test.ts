import { createConsumer, FakeLink, fakeRoom, fakeTrack, createParticipant } from '../../tests/fakeRoom.ts';
import { settlePromises } from '../../tests/fakeTimers.ts';
import { SocketError } from '../socket/socketRequests.ts';
import { MediaProblem, type MediaTrack } from './ports.ts';

const refusal = (code: string, retryAfterMs?: number) => new SocketError(code, `refused: ${code}`, retryAfterMs);

test('one request brings everything, and one more resumes all consumers', async () => {
  const room = fakeRoom();
  room.answers.set('join_meeting', () =>
    room.entry({
      participants: [createParticipant('you')],
      media: room.session([
        createConsumer('c1', 'you'),
        createConsumer('c2', 'you', { source: 'camera', kind: 'video', producerPaused: true }),
      ]),
    }),
  );
  await room.join();
  expect(room.requestsOf('join_meeting')).toEqual([
    {
      roomCode: 'ABC234',
      attemptId: expect.any(String),
      rtpCapabilities: { codecs: [] },
      audio: false,
      video: false,
    },
  ]);
  expect(room.requestsOf('media_resume_consumers')).toMatchObject([{ consumerIds: ['c1', 'c2'], participantId: 'me' }]);
  const state = room.store.getState();
  expect(state.phase).toEqual({ name: 'joined' });
  expect(Object.keys(state.tracks).toSorted()).toEqual(['you camera', 'you microphone']);
  expect(state.paused).toEqual({ 'you camera': true });
});

test('joining with microphone and camera sends both, and reports neither twice', async () => {
  const room = fakeRoom();
  await room.join({ microphone: true, camera: true });
  expect([...room.link.sent.keys()].toSorted()).toEqual(['camera', 'microphone']);
  expect(room.requestsOf('meeting_audio_toggle')).toEqual([]);
  expect(Object.keys(room.store.getState().tracks)).toEqual(['me camera']);
});

test('a room is drawn once its media is requested, and not much later if that takes long', async () => {
  let described = () => {};
  const describing = () => new Promise<void>((resolve) => (described = resolve));
  const arriving = async () => {
    const room = fakeRoom('abc234', { describing: describing() });
    room.answers.set('join_meeting', () => room.entry({ media: room.session([createConsumer('c1', 'you')]) }));
    const seen: [string, number][] = [];
    room.store.subscribe(({ phase }) => seen.push([phase.name, room.requestsOf('media_resume_consumers').length]));
    void room.join();
    await settlePromises();
    expect(room.store.getState().phase).toEqual({ name: 'outside' });
    return { room, seen };
  };
  const quick = await arriving();
  described();
  await settlePromises();
  expect(quick.seen.find(([phase]) => phase === 'joined')).toEqual(['joined', 1]);

  const slow = await arriving();
  await slow.room.clock.advance(150);
  expect(slow.seen).toEqual([
    ['outside', 0],
    ['joined', 0],
  ]);

  const cut = await arriving();
  cut.room.socket.setOpen(false);
  expect(cut.room.store.getState()).toMatchObject({ phase: { name: 'joined' }, reconnecting: true });
});

test('sending waits until receiving is on its way, and no longer than for the next link', async () => {
  let described = () => {};
  const room = fakeRoom('abc234', { describing: new Promise((resolve) => (described = resolve)) });
  room.answers.set('join_meeting', () =>
    room.entry({
      participant: createParticipant('me', { isMuted: false }),
      media: room.session([createConsumer('c1', 'you')]),
    }),
  );
  void room.join({ microphone: true, camera: false });
  await settlePromises();
  await room.clock.advance(150);
  expect([room.links.length, room.link.sent.size]).toEqual([1, 0]);
  await room.push({ type: 'media_moved', data: { roomCode: 'ABC234', participantId: 'me' } });
  await settlePromises();
  expect([room.links.length, room.links[0]?.sent.size, room.link.sent.size]).toEqual([2, 0, 1]);
  described();
  await settlePromises();
  expect([room.links[0]?.sent.size, room.link.sent.size]).toEqual([0, 1]);
});

test('transports connected on the pre-join page are used if the join assigns them', async () => {
  const taken: string[] = [];
  const preparedTransports = {
    attemptId: 'attempt',
    claim: () => ({ preparedNodeId: 'node-1', readyConsumerIds: ['c1'] }),
    take: (session: { nodeId: string }) => {
      taken.push(session.nodeId);
      const use = (host: never, consumers: { id: string }[]) => {
        taken.push(...consumers.map(({ id }) => id));
        return new FakeLink('warm', host);
      };
      return { readyConsumerIds: [], use, close: () => {} };
    },
    close: () => void taken.push('closed'),
  };
  const room = fakeRoom('abc234', { preparedTransports: preparedTransports as never });
  room.answers.set('join_meeting', () => room.entry({ media: room.session([createConsumer('c1', 'you')]) }));
  await room.join({ microphone: false, camera: false });
  expect(room.requestsOf('join_meeting')).toMatchObject([
    { attemptId: 'attempt', preparedNodeId: 'node-1', readyConsumerIds: ['c1'] },
  ]);
  expect([taken, room.links]).toEqual([['node-1', 'c1'], []]);
  expect(Object.keys(room.store.getState().tracks)).toEqual(['you microphone']);
  room.client.leave();
  expect(taken).toEqual(['node-1', 'c1', 'closed']);
});

test('a person joins muted if the meeting mutes newcomers', async () => {
  const room = fakeRoom();
  room.answers.set('join_meeting', () => room.entry({ participant: createParticipant('me', { isMuted: true }) }));
  await room.join({ microphone: true, camera: false });
  expect(room.store.getState().microphone).toBe(false);
  expect(room.link.sent.get('microphone')?.paused ?? true).toBe(true);
});

test('the microphone pauses and resumes, and the server is notified each time', async () => {
  const room = fakeRoom();
  await room.join({ microphone: true, camera: false });
  await room.client.set('microphone', false);
  expect(room.link.sent.get('microphone')).toMatchObject({ paused: true });
  await room.client.set('microphone', true);
  expect(room.link.sent.get('microphone')).toMatchObject({ paused: false });
  expect(room.requestsOf('meeting_audio_toggle').map(({ enabled }) => enabled)).toEqual([false, true]);
});

test('a device that cannot be opened is reported, and joining works without it', async () => {
  const room = fakeRoom();
  room.refusals.set('camera', new MediaProblem('busy'));
  await room.join({ microphone: true, camera: true });
  expect(room.problems).toEqual(['camera']);
  expect(room.kinds).toEqual(['busy']);
  expect(room.store.getState()).toMatchObject({ phase: { name: 'joined' }, camera: false, microphone: true });
  expect(room.requestsOf('meeting_video_toggle')).toMatchObject([{ enabled: false }]);
});

test('a device that disappears while in use is switched off; another one takes its place', async () => {
  const room = fakeRoom();
  await room.join({ microphone: true, camera: true });
  const other = fakeTrack('other');
  room.device('microphone', other);
  room.device('camera', null);
  await settlePromises();
  expect(room.link.sent.get('microphone')?.track).toBe(other);
  expect(room.store.getState().camera).toBe(false);
  expect(room.problems).toEqual(['camera']);
});

/** Returns the phases of a room, each once. */
function phasesOf({ store }: ReturnType<typeof fakeRoom>): string[] {
  const phases: string[] = [store.getState().phase.name];
  store.subscribe(({ phase }) => void (phase.name !== phases.at(-1) && phases.push(phase.name)));
  return phases;
}

test('joining is shown to those who have to wait, and to nobody else', async () => {
  const quick = fakeRoom();
  const sooner = phasesOf(quick);
  await quick.join();
  await quick.clock.advance(1_000);
  expect(sooner).toEqual(['outside', 'joined']);

  const slow = fakeRoom();
  const later = phasesOf(slow);
  slow.answers.set('join_meeting', () => new Promise(() => undefined));
  void slow.join();
  expect(slow.client.isOnTheWay).toBe(true);
  await slow.clock.advance(149);
  expect(later).toEqual(['outside']);
  await slow.clock.advance(1);
  expect(later).toEqual(['outside', 'joining']);
  expect(slow.client.isOnTheWay).toBe(false);
  slow.client.leave();
  expect(later.at(-1)).toBe('over');
});

test('the room shows that media is being prepared, and joins by itself', async () => {
  const room = fakeRoom();
  let tries = 0;
  room.answers.set('join_meeting', () => ((tries += 1) < 3 ? refusal('media_unavailable', 2_000) : room.entry()));
  await room.join();
  expect(room.store.getState().phase).toEqual({ name: 'preparing' });
  await room.clock.advance(4_000);
  expect(room.store.getState().phase).toEqual({ name: 'joined' });
});

test.each([
  ['service_unavailable', 1_000],
  ['service_timeout', 1_000],
  ['storage_unavailable', 2_000],
  ['internal_error', undefined],
])('an outage while joining (%s) is not a refusal, and is retried', async (code, retryAfterMs) => {
  const room = fakeRoom();
  let tries = 0;
  room.answers.set('join_meeting', () => ((tries += 1) < 3 ? refusal(code, retryAfterMs) : room.entry()));
  await room.join();
  expect(room.store.getState()).toMatchObject({ phase: { name: 'joining' }, reconnecting: true });
  await room.clock.advance(4_000);
  expect(room.store.getState()).toMatchObject({ phase: { name: 'joined' }, reconnecting: false });
  // Retries use the same attempt, because the room may already have admitted the user.
  const [first, ...retries] = room.requestsOf('join_meeting');
  expect(retries.map(({ attemptId }) => attemptId)).toEqual([first?.attemptId, first?.attemptId]);
});

test('too many attempts end joining, but do not end an attendance', async () => {
  const room = fakeRoom();
  room.answers.set('join_meeting', () => refusal('rate_limited', 1_000));
  await room.join();
  expect(room.store.getState().phase).toMatchObject({ name: 'over', reason: 'failed' });

  const inside = fakeRoom();
  await inside.join();
  const welcome = inside.answers.get('join_meeting');
  inside.answers.set('join_meeting', () => refusal('rate_limited', 1_000));
  inside.socket.setOpen(false);
  inside.socket.setOpen(true);
  await settlePromises();
  expect(inside.store.getState()).toMatchObject({ phase: { name: 'joined' }, reconnecting: true });
  inside.answers.set('join_meeting', welcome ?? (() => inside.entry()));
  await inside.clock.advance(1_000);
  expect(inside.store.getState().reconnecting).toBe(false);
});

test('a failed join after admission leaves the meeting, as the room may already count the person', async () => {
  const room = fakeRoom();
  room.answers.set('join_meeting', () => room.entry({ state: 'waiting', media: null }));
  await room.join();
  room.answers.set('join_meeting', () => refusal('something_new'));
  await room.push({ type: 'meeting_admitted', data: { roomCode: 'ABC234', participantId: 'me' } });
  expect(room.store.getState().phase).toMatchObject({ name: 'over', reason: 'failed' });
  expect(room.requestsOf('leave_meeting')).toEqual([{ roomCode: 'ABC234', participantId: 'me' }]);
});

test.each([
  ['meeting_not_found', 'not_found'],
  ['meeting_over', 'over'],
  ['meeting_locked', 'locked'],
  ['room_full', 'full'],
  ['removed', 'removed'],
  ['sign_in_required', 'sign_in'],
  ['something_new', 'failed'],
])('a refusal with %s ends as %s', async (code, reason) => {
  const room = fakeRoom();
  room.answers.set('join_meeting', () => refusal(code));
  await room.join();
  expect(room.store.getState().phase).toMatchObject({ name: 'over', reason });
});

test('a waiting person joins as the same participant once a host admits them', async () => {
  const room = fakeRoom();
  room.answers.set('join_meeting', () => room.entry({ state: 'waiting', media: null }));
  await room.join();
  expect(room.store.getState().phase).toEqual({ name: 'waiting' });
  room.answers.set('join_meeting', () => room.entry());
  await room.push({ type: 'meeting_admitted', data: { roomCode: 'ABC234', participantId: 'me' } });
  expect(room.store.getState().phase).toEqual({ name: 'joined' });
  expect(room.requestsOf('join_meeting')[1]).toMatchObject({ participantId: 'me' });
});

test('a declined person is informed', async () => {
  const room = fakeRoom();
  room.answers.set('join_meeting', () => room.entry({ state: 'waiting', media: null }));
  await room.join();
  await room.push({ type: 'meeting_denied', data: { roomCode: 'ABC234', participantId: 'me' } });
  expect(room.store.getState().phase).toMatchObject({ name: 'over', reason: 'denied' });
});

test('a participant returns after a disconnect, sends again, and keeps later switches', async () => {
  const room = fakeRoom();
  await room.join({ microphone: true, camera: false });
  room.socket.setOpen(false);
  expect(room.store.getState().reconnecting).toBe(true);
  await room.client.set('microphone', false);
  room.answers.set('join_meeting', () => room.entry({ participant: createParticipant('me', { isMuted: false }) }));
  room.socket.setOpen(true);
  await settlePromises();
  expect(room.requestsOf('join_meeting')[1]).toMatchObject({ participantId: 'me' });
  expect(room.links).toHaveLength(2);
  expect(room.links[0]!.closed).toBe(true);
  expect(room.link.sent.get('microphone')).toMatchObject({ paused: true });
  expect(room.requestsOf('meeting_audio_toggle').at(-1)).toMatchObject({ enabled: false });
  expect(room.store.getState()).toMatchObject({ reconnecting: false, microphone: false });
});

test('a device that a host switched off during a disconnect stays off', async () => {
  const room = fakeRoom();
  await room.join({ microphone: true, camera: false });
  room.socket.setOpen(false);
  room.answers.set('join_meeting', () => room.entry({ participant: createParticipant('me', { isMuted: true }) }));
  room.socket.setOpen(true);
  await settlePromises();
  expect(room.store.getState().microphone).toBe(false);
  expect(room.requestsOf('meeting_audio_toggle')).toEqual([]);
});

test('an expired lease leads back in as a new participant', async () => {
  const room = fakeRoom();
  await room.join();
  room.socket.setOpen(false);
  room.answers.set('join_meeting', ({ participantId }) =>
    participantId ? refusal('participant_unknown') : room.entry({ participant: createParticipant('me again') }),
  );
  room.socket.setOpen(true);
  await settlePromises();
  await room.clock.advance(10);
  expect(room.client.participantId).toBe('me again');
  expect(room.store.getState().phase).toEqual({ name: 'joined' });
});

test('a room that moves to another node is followed at once, with everything that is sent', async () => {
  const room = fakeRoom();
  await room.join({ microphone: true, camera: true });
  room.moveNode();
  room.answers.set('media_join', () => room.session([createConsumer('c9', 'you')]));
  await room.push({ type: 'media_moved', data: { roomCode: 'ABC234', participantId: 'me' } });
  expect(room.link.nodeId).toBe('node-2');
  expect([...room.link.sent.keys()].toSorted()).toEqual(['camera', 'microphone']);
  expect(room.link.consumed).toEqual(['c9']);
  expect(room.links[0]!.closed).toBe(true);
  room.link.become('connected');
  expect(room.store.getState().reconnecting).toBe(false);
});

test('media that a new node refuses is offered again, and switched off with a message if always refused', async () => {
  const room = fakeRoom();
  await room.join({ microphone: true, camera: true });
  const taken = room.answers.get('media_produce')!;
  let refused = 0;
  room.answers.set('media_produce', (data) => {
    if (data['source'] === 'microphone' && refused >= 2) return taken(data);
    refused += Number(data['source'] === 'microphone');
    return refusal('service_timeout', 1_000);
  });
  room.moveNode();
  room.answers.set('media_join', () => room.session());
  await room.push({ type: 'media_moved', data: { roomCode: 'ABC234', participantId: 'me' } });
  expect([...room.link.sent.keys()]).toEqual([]);
  await room.clock.advance(5_000);
  expect([...room.link.sent.keys()]).toEqual(['microphone']);
  expect([room.problems, room.store.getState().camera]).toEqual([[], true]);
  await room.clock.advance(30_000);
  await settlePromises();
  expect([room.problems, room.store.getState().camera]).toEqual([['video'], false]);
  expect(room.requestsOf('meeting_video_toggle').at(-1)).toMatchObject({ enabled: false });
  expect(room.store.getState().microphone).toBe(true);
});

test('received media is resumed later if that failed at first', async () => {
  const room = fakeRoom();
  await room.join();
  let tries = 0;
  room.answers.set('media_resume_consumers', () => ((tries += 1) < 3 ? refusal('service_timeout', 1_000) : {}));
  room.moveNode();
  room.answers.set('media_join', () => room.session([createConsumer('c9', 'you')]));
  await room.push({ type: 'media_moved', data: { roomCode: 'ABC234', participantId: 'me' } });
  await room.clock.advance(30_000);
  expect(tries).toBe(3);
});

test('a new node is sent the visible tiles, which it cannot know', async () => {
  const room = fakeRoom();
  await room.join();
  const tiles = [{ participantId: 'you', source: 'camera' as const, height: 720, priority: 9 }];
  room.client.view.show('you', tiles[0]);
  await room.clock.advance(200);
  expect(room.requestsOf('media_view')).toMatchObject([{ tiles }]);
  room.moveNode();
  await room.push({ type: 'media_moved', data: { roomCode: 'ABC234', participantId: 'me' } });
  await room.clock.advance(200);
  expect(room.requestsOf('media_view')).toMatchObject([{ tiles }, { tiles }]);
});

test('a switch is stored with the place at once, and not at the next heartbeat', async () => {
  const room = fakeRoom();
  await room.join({ microphone: true, camera: true });
  const kept = room.places.length;
  await room.client.set('camera', false);
  expect(room.places.slice(kept)).toEqual(['me']);
  room.client.leave();
  expect(room.places.slice(kept)).toEqual(['me', null]);
});

test('a missing node is requested until there is one', async () => {
  const room = fakeRoom();
  await room.join();
  let tries = 0;
  room.answers.set('media_join', () => ((tries += 1) < 4 ? refusal('media_unavailable', 2_000) : room.session()));
  await room.push({ type: 'media_moved', data: { roomCode: 'ABC234', participantId: 'me' } });
  expect(room.store.getState().reconnecting).toBe(true);
  await room.clock.advance(3_000);
  expect(room.links).toHaveLength(2);
  expect(room.store.getState().reconnecting).toBe(false);
});

test('a broken path is restarted, and if that finds none everything is set up again', async () => {
  const room = fakeRoom();
  await room.join();
  const [first] = room.links;
  first!.become('connected');
  first!.become('disconnected');
  await room.clock.advance(1_000);
  expect(first!.restarts).toBe(1);
  expect(room.store.getState().reconnecting).toBe(true);
  await room.clock.advance(5_000);
  expect(room.links).toHaveLength(2);
});

test('a path that cannot be found is reported in time, despite all retries, until one is found', async () => {
  const room = fakeRoom();
  await room.join({ microphone: true, camera: false });
  const [first] = room.links;
  first!.become('connecting');
  await room.clock.advance(1_000);
  first!.become('failed');
  // The first link is replaced by another one meanwhile, which finds no path either.
  await room.clock.advance(6_000);
  expect(room.links).toHaveLength(2);
  room.link.become('connecting');
  expect(room.store.getState()).toMatchObject({ noPath: false, reconnecting: true });
  await room.clock.advance(1_500);
  expect(room.store.getState().noPath).toBe(true);

  await room.client.findPath();
  expect(room.store.getState()).toMatchObject({ noPath: false, reconnecting: true });
  room.link.become('connecting');
  await room.clock.advance(8_000);
  expect(room.store.getState().noPath).toBe(true);
  room.link.become('connected');
  expect(room.store.getState()).toMatchObject({ noPath: false, reconnecting: false });
});

test('a client without media needs no path, and a lost server connection is reported differently', async () => {
  const alone = fakeRoom();
  alone.answers.set('join_meeting', () => alone.entry({ media: { ...alone.session(), consumers: [] } }));
  await alone.join({ microphone: false, camera: false });
  await alone.clock.advance(60_000);
  expect(alone.store.getState().noPath).toBe(false);

  const room = fakeRoom();
  await room.join({ microphone: true, camera: false });
  room.link.become('connecting');
  room.socket.setOpen(false);
  await room.clock.advance(60_000);
  expect(room.store.getState()).toMatchObject({ noPath: false, reconnecting: true });
});

test('a path that recovers by itself is left alone', async () => {
  const room = fakeRoom();
  await room.join();
  room.link.become('connected');
  room.link.become('disconnected');
  room.link.become('connected');
  await room.clock.advance(20_000);
  expect(room.link.restarts).toBe(0);
  expect(room.links).toHaveLength(1);
});

test('a change of network restarts the path without replacing it', async () => {
  const room = fakeRoom();
  await room.join();
  room.link.become('connected');
  room.client.networkChanged();
  await room.clock.advance(20_000);
  expect(room.link.restarts).toBe(1);
  expect(room.links).toHaveLength(1);
});

test('consumers that arrive close together are resumed together, and leave with their participant', async () => {
  const room = fakeRoom();
  await room.join();
  const added = (id: string, participantId: string) =>
    room.push({
      type: 'media_consumer_added',
      data: { roomCode: 'ABC234', participantId: 'me', consumer: createConsumer(id, participantId) },
    });
  await room.push({
    type: 'meeting_participant_joined',
    data: { roomCode: 'ABC234', participant: createParticipant('you') },
  });
  await added('c1', 'you');
  await added('c2', 'them');
  await room.clock.advance(50);
  expect(room.requestsOf('media_resume_consumers')).toMatchObject([{ consumerIds: ['c1', 'c2'] }]);
  await room.push({
    type: 'media_consumer_closed',
    data: { roomCode: 'ABC234', participantId: 'me', consumerId: 'c1' },
  });
  expect(Object.keys(room.store.getState().tracks)).toEqual(['them microphone']);
});

test('layers that nobody watches are no longer sent, on the link that sends them', async () => {
  const room = fakeRoom();
  await room.join({ microphone: false, camera: true });
  const layers = (participantId: string, count: number) =>
    room.push({
      type: 'media_layers',
      data: { roomCode: 'ABC234', participantId, producerId: 'producer of camera', layers: count },
    });
  await layers('me', 1);
  await layers('my other tab', 3);
  expect([...room.link.layers]).toEqual([['producer of camera', 1]]);
  await layers('me', 0);
  expect([...room.link.layers]).toEqual([['producer of camera', 0]]);
  // The camera continues: the user sees themselves, and the others are not notified.
  expect(room.link.sent.get('camera')).toMatchObject({ paused: false });
  expect(room.store.getState().camera).toBe(true);

  // A new node restarts with all of them.
  room.moveNode();
  await room.push({ type: 'media_moved', data: { roomCode: 'ABC234', participantId: 'me' } });
  expect(room.links).toHaveLength(2);
  expect(room.link.layers.size).toBe(0);
});

test('frames for other participants of the same account are ignored', async () => {
  const room = fakeRoom();
  await room.join();
  await room.push({
    type: 'media_consumer_added',
    data: { roomCode: 'ABC234', participantId: 'my other tab', consumer: createConsumer('c1', 'you') },
  });
  await room.push({ type: 'meeting_ended', data: { roomCode: 'OTHER2', reason: 'ended' } });
  await room.clock.advance(50);
  expect(room.link.consumed).toEqual([]);
  expect(room.store.getState().phase).toEqual({ name: 'joined' });
});

test('a host mutes without asking, and can only ask to unmute', async () => {
  const room = fakeRoom();
  await room.join({ microphone: true, camera: false });
  await room.push({ type: 'meeting_asked', data: { roomCode: 'ABC234', participantId: 'me', what: 'muted' } });
  expect(room.store.getState().microphone).toBe(false);
  expect(room.requestsOf('meeting_audio_toggle')).toEqual([]);
  await room.push({ type: 'meeting_asked', data: { roomCode: 'ABC234', participantId: 'me', what: 'unmute' } });
  expect(room.store.getState().microphone).toBe(false);
  expect(room.hostAsked).toEqual(['muted', 'unmute']);
});

test('a screen is shared until the browser’s own button ends it', async () => {
  const room = fakeRoom();
  await room.join();
  await room.client.share(true);
  expect(room.store.getState()).toMatchObject({ sharing: true });
  const shared = room.link.sent.get('screen')!.track as MediaTrack & { end: () => void };
  shared.end();
  await settlePromises();
  expect(room.store.getState()).toMatchObject({ sharing: false, tracks: {} });
  expect(room.requestsOf('media_close_producer')).toMatchObject([{ producerId: 'producer of screen' }]);
  expect(room.requestsOf('meeting_screenshare_toggle').map(({ enabled }) => enabled)).toEqual([true, false]);
});

test('a screen that the host does not allow is stopped and reported', async () => {
  const room = fakeRoom();
  room.answers.set('meeting_screenshare_toggle', () => refusal('screen_share_refused'));
  await room.join();
  await room.client.share(true);
  expect(room.problems).toEqual(['screenRefused']);
  expect(room.store.getState().sharing).toBe(false);
});

test('closing the browser’s screen picker is not reported as a problem', async () => {
  const room = fakeRoom();
  room.refusals.set('screen', new MediaProblem('dismissed'));
  await room.join();
  await room.client.share(true);
  expect(room.problems).toEqual([]);
});

test('leaving notifies the server and forgets the place', async () => {
  const room = fakeRoom();
  await room.join();
  room.client.leave();
  expect(room.requestsOf('leave_meeting')).toEqual([{ roomCode: 'ABC234', participantId: 'me' }]);
  expect(room.places.at(-1)).toBeNull();
  expect(room.store.getState().phase).toMatchObject({ name: 'over', reason: 'left' });
  expect(room.link.closed).toBe(true);
  await room.clock.advance(60_000);
  expect(room.requestsOf('sfu_connection_update')).toEqual([]);
});

test('the connection is reported every few seconds, and the answer gives its quality', async () => {
  const room = fakeRoom();
  room.answers.set('sfu_connection_update', () => ({
    sendLoss: 0,
    receiveLoss: 0.3,
    roundTripMs: 40,
    degradedConsumers: 0,
  }));
  await room.join();
  await room.clock.advance(5_000);
  expect(room.store.getState().quality).toBe('poor');
});

test('the id of a call is not put in upper case', async () => {
  const room = fakeRoom('call-abc-1');
  await room.join();
  expect(room.requestsOf('join_meeting')).toMatchObject([{ roomCode: 'call-abc-1' }]);
});
