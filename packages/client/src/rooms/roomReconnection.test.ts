import { createConsumer, createParticipant, fakeRoom, refusal } from '../../tests/fakeRoom.ts';
import { settlePromises } from '../../tests/fakeTimers.ts';

/** Rooms whose connection is lost, whose node moves, or whose network path breaks. */

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
