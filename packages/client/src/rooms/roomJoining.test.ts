import { createConsumer, createParticipant, FakeLink, fakeRoom, refusal } from '../../tests/fakeRoom.ts';
import { settlePromises } from '../../tests/fakeTimers.ts';

/** Joining and leaving a room: how long it takes, who has to wait, and who is refused. */

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

test('the id of a call is not put in upper case', async () => {
  const room = fakeRoom('call-abc-1');
  await room.join();
  expect(room.requestsOf('join_meeting')).toMatchObject([{ roomCode: 'call-abc-1' }]);
});
