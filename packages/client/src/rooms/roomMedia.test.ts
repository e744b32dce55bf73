import { createConsumer, createParticipant, fakeRoom, fakeTrack, refusal } from '../../tests/fakeRoom.ts';
import { settlePromises } from '../../tests/fakeTimers.ts';
import { MediaProblem, type MediaTrack } from './ports.ts';

/** Media that a participant sends and receives in a room: microphone, camera, and screen. */

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

test('a switch is stored with the place at once, and not at the next heartbeat', async () => {
  const room = fakeRoom();
  await room.join({ microphone: true, camera: true });
  const kept = room.places.length;
  await room.client.set('camera', false);
  expect(room.places.slice(kept)).toEqual(['me']);
  room.client.leave();
  expect(room.places.slice(kept)).toEqual(['me', null]);
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
