import type { JoinMeetingResult, Meeting, Participant } from '@nolo/api';
import { fakeTrack } from '../../tests/fakeRoom.ts';
import {
  withParticipantChanged,
  withJoinResponse,
  withParticipantJoined,
  withLobby,
  withMeetingState,
  withSpeakers,
  withTrack,
  withoutParticipant,
} from './roomChanges.ts';
import {
  isPoorlySent,
  othersInside,
  initialRoomState,
  toConnectionQuality,
  raisedHands,
  shownQuality,
  type RoomState,
} from './roomState.ts';

const person = (id: string, change: Partial<Participant> = {}): Participant => ({
  id,
  userId: `user-${id}`,
  name: `Name of ${id}`,
  profileImageUrl: null,
  role: 'participant',
  isMuted: false,
  hasVideo: false,
  isSharing: false,
  isHandRaised: false,
  handRaisedAt: null,
  isReconnecting: false,
  joinedAt: `2026-01-01T00:00:${id.padStart(2, '0')}Z`,
  version: 1,
  ...change,
});
const began = Date.parse('2026-01-01T01:00:00Z');
const meeting = { roomCode: 'ABC234', isRecording: false, endsAt: null } as Meeting;
const entry = (others: Participant[]): JoinMeetingResult => ({
  state: 'joined',
  guarded: false,
  participant: person('99'),
  participants: others,
  meeting,
  media: null,
});
const inside = (ids: string[]): RoomState => ({
  ...initialRoomState,
  ...withJoinResponse(initialRoomState, entry(ids.map((id) => person(id))), began),
});
const many = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

test('the person’s own tile comes first, and the others in order of arrival', () => {
  expect(inside(['3', '1', '2']).order).toEqual(['99', '1', '2', '3']);
});

test('rejoining keeps everyone’s position, with newcomers after them', () => {
  const before = { ...inside(['1', '2', '3']), order: ['99', '3', '1', '2'] };
  const after = withJoinResponse(before, entry([person('1'), person('3'), person('4')]), began);
  expect(after.order).toEqual(['99', '3', '1', '4']);
});

test('a person who returns as another participant still shows their own picture', () => {
  const state = { ...inside(['1']), tracks: { '99 camera': fakeTrack('own') } };
  const after = withJoinResponse(state, { ...entry([person('1')]), participant: person('100') }, began);
  expect(after).toMatchObject({ selfId: '100', order: ['100', '1'], tracks: { '100 camera': { id: 'own' } } });
});

test('arrivals, departures and raised hands are announced once', () => {
  let state = inside(['1']);
  state = { ...state, ...withParticipantJoined(state, person('2')) };
  const raised = person('2', { isHandRaised: true, handRaisedAt: '2026-01-01T01:00:00Z' });
  state = { ...state, ...withParticipantChanged(state, raised) };
  state = { ...state, ...withParticipantChanged(state, raised) };
  state = { ...state, ...withoutParticipant(state, { participantId: '2', reason: 'left' }) };
  expect(state.news.map(({ kind }) => kind)).toEqual(['joined', 'hand', 'left']);
  expect(withoutParticipant(state, { participantId: '2', reason: 'left' })).not.toHaveProperty('news');
});

test('new hosts are announced, including the person themselves', () => {
  let state = inside(['1']);
  for (const one of [person('1', { role: 'co_host' }), person('99', { role: 'co_host' })]) {
    state = { ...state, ...withParticipantChanged(state, one) };
    state = { ...state, ...withParticipantChanged(state, one) };
  }
  expect(state.news.map(({ kind }) => kind)).toEqual(['hosts', 'youHost']);
});

test('the others in a room do not include the person’s own other devices', () => {
  const state = { ...inside(['2', '1']), selfId: '99' };
  const tablet = { ...person('98'), userId: 'user-99' };
  expect(othersInside({ ...state, participants: { ...state.participants, 98: tablet } }).map(({ id }) => id)).toEqual([
    '1',
    '2',
  ]);
});

test('the tracks of a participant leave with them', () => {
  let state = inside(['1', '12']);
  for (const key of ['1 camera', '1 screen', '12 camera']) {
    state = { ...state, ...withTrack(state, key, fakeTrack(key), true) };
  }
  state = { ...state, ...withoutParticipant(state, { participantId: '1', reason: 'lost' }) };
  expect(Object.keys(state.tracks)).toEqual(['12 camera']);
  expect(Object.keys(state.paused)).toEqual(['12 camera']);
});

test('a speaker on a later page swaps places with a silent person on the first', () => {
  const state = inside(many(20));
  const { order, lastSpeaker } = withSpeakers(state, ['1', '18']) as RoomState;
  expect(order.indexOf('18')).toBe(11);
  expect(order[0]).toBe('99');
  expect(order.toSorted()).toEqual(state.order.toSorted());
  expect(lastSpeaker).toBe('1');
});

test('the person’s own voice enlarges no tile', () => {
  expect(withSpeakers(inside(['1']), ['99']).lastSpeaker).toBeNull();
});

test('raised hands are called in the order in which they were raised', () => {
  const early = person('5', { isHandRaised: true, handRaisedAt: '2026-01-01T01:00:00Z' });
  const late = person('1', { isHandRaised: true, handRaisedAt: '2026-01-01T02:00:00Z' });
  expect(raisedHands({ participants: { 1: late, 2: person('2'), 5: early } }).map(({ id }) => id)).toEqual(['5', '1']);
});

test('a starting recording is announced, and a lifted time limit is forgotten', () => {
  const state = { ...inside([]), warnedEndsAt: '2026-01-01T03:00:00Z' };
  const change = { ...meeting, isRecording: true, endsAt: null } as Meeting;
  const after = withMeetingState(state, change);
  expect(after).toMatchObject({ warnedEndsAt: null, news: [{ kind: 'recording' }] });
});

test('only new arrivals in the lobby are announced', () => {
  let state = inside([]);
  state = { ...state, ...withLobby(state, [person('1')], 1) };
  state = { ...state, ...withLobby(state, [person('1')], 2) };
  state = { ...state, ...withLobby(state, [], 3) };
  expect(state.news.map(({ kind, person }) => [kind, person?.name])).toEqual([['knocked', 'Name of 1']]);
});

test('quality is as good as its worst component', () => {
  const good = { sendLoss: 0, receiveLoss: 0.01, roundTripMs: 60, degradedConsumers: 0 };
  expect(toConnectionQuality(good)).toBe('good');
  expect(toConnectionQuality({ ...good, degradedConsumers: 1 })).toBe('fair');
  expect(toConnectionQuality({ ...good, receiveLoss: 0.2 })).toBe('poor');
});

test('the media node’s score shows at once for the person’s own path, and on the tiles of others', () => {
  const state: RoomState = { ...initialRoomState, selfId: 'me', quality: 'good' };
  expect(shownQuality(state)).toBe('good');
  expect(shownQuality({ ...state, sendScore: 3 })).toBe('poor');
  expect(isPoorlySent({ ...state, sendScore: 3 }, 'me')).toBe(true);
  expect(isPoorlySent({ ...state, poor: ['1'] }, '1')).toBe(true);
  expect(isPoorlySent({ ...state, poor: ['1'] }, 'me')).toBe(false);
  expect(isPoorlySent({ ...state, poor: ['1'] }, '2')).toBe(false);
});

test('a person who joins shortly before the plan’s time limit is warned like those inside', () => {
  const endsIn = (minutes: number) => new Date(began + minutes * 60_000).toISOString();
  const entering = (endsAt: string | null, warnedEndsAt: string | null = null) =>
    withJoinResponse({ ...initialRoomState, warnedEndsAt }, { ...entry([]), meeting: { ...meeting, endsAt } }, began)
      .warnedEndsAt;
  expect(entering(endsIn(4))).toBe(endsIn(4));
  expect(entering(endsIn(6))).toBeNull();
  expect(entering(null)).toBeNull();
  // A warned user who returns is still warned, unless the end was canceled.
  expect(entering(endsIn(6), endsIn(6))).toBe(endsIn(6));
  expect(entering(null, endsIn(4))).toBeNull();
});

describe('frames out of order', () => {
  const apply = (state: RoomState, ...changes: ((state: RoomState) => Partial<RoomState>)[]): RoomState =>
    changes.reduce((now, change) => ({ ...now, ...change(now) }), state);
  const joined = (participant: Participant) => (state: RoomState) => withParticipantJoined(state, participant);
  const changed = (participant: Participant) => (state: RoomState) => withParticipantChanged(state, participant);
  const left = (participantId: string, version?: number) => (state: RoomState) =>
    withoutParticipant(state, { participantId, reason: 'left', ...(version !== undefined && { version }) });
  const entered = (version: number, others: Participant[]) => (state: RoomState) =>
    withJoinResponse(state, { ...entry(others), version }, began);
  const others = (state: RoomState) => state.order.filter((id) => id !== '99');

  test('a change never brings back a participant who has left', () => {
    const camera = person('2', { hasVideo: true, version: 12 });
    expect(others(apply(inside([]), joined(person('2', { version: 11 })), left('2', 13), changed(camera)))).toEqual([]);
    // A gateway that reports an expired lease sends no version.
    expect(others(apply(inside([]), joined(person('2', { version: 12 })), left('2'), changed(camera)))).toEqual([]);
  });

  test('a join that arrives after its leave shows nobody; joining again does', () => {
    const state = apply(inside([]), left('2', 13), joined(person('2', { version: 11 })));
    expect(others(state)).toEqual([]);
    const stateAfterRejoin = apply(state, joined(person('2', { version: 14 })));
    expect(others(stateAfterRejoin)).toEqual(['2']);
    expect(others(apply(stateAfterRejoin, left('2', 13)))).toEqual(['2']);
    expect(others(apply(stateAfterRejoin, left('2', 15)))).toEqual([]);
  });

  test('an older change is dropped, and one that overtakes the join is held for it', () => {
    const [off, on] = [person('2', { version: 12 }), person('2', { hasVideo: true, version: 13 })];
    const first = person('2', { version: 11 });
    expect(apply(inside([]), joined(first), changed(on), changed(off)).participants['2']).toEqual(on);
    expect(apply(inside([]), changed(on), changed(off), joined(first)).participants['2']).toEqual(on);
    expect(others(apply(inside([]), changed(on), left('2', 14), joined(first)))).toEqual([]);
  });

  test('an entry that was read before a leave or a join does not undo it', () => {
    const [one, two] = [person('1', { version: 5 }), person('2', { version: 21 })];
    const before = apply(inside([]), joined(one), joined(two), left('1', 22));
    expect(others(apply(before, entered(20, [one])))).toEqual(['2']);
    // A newer entry without a person means that they have left.
    const later = apply(before, entered(30, []));
    expect(others(later)).toEqual([]);
    expect(others(apply(later, joined(two)))).toEqual([]);
  });

  test('an entry keeps changes that overtook a join, and forgets those older than itself', () => {
    const camera = person('2', { hasVideo: true, version: 22 });
    const before = apply(inside([]), changed(camera));
    // Listed with the state before the change.
    expect(apply(before, entered(20, [person('2', { version: 19 })])).participants['2']).toEqual(camera);
    expect(apply(before, entered(23, [person('2', { version: 23 })])).participants['2']?.hasVideo).toBe(false);
    // The participant is not listed yet: the change waits for their join.
    const waiting = apply(before, entered(20, []));
    expect(others(waiting)).toEqual([]);
    expect(apply(waiting, joined(person('2', { version: 21 }))).participants['2']).toEqual(camera);
    expect(apply(before, entered(30, [])).ahead).toEqual({});
  });

  test('an older lobby list and an older meeting state are dropped', () => {
    const state = apply(inside([]), (now) => withLobby(now, [], 8));
    expect(apply(state, (now) => withLobby(now, [person('1')], 7)).lobby).toEqual([]);
    const locked = { ...meeting, locked: true, version: 4 } as Meeting;
    const unlocked = { ...meeting, locked: false, version: 3 } as Meeting;
    const now = apply(
      state,
      (room) => withMeetingState(room, locked),
      (room) => withMeetingState(room, unlocked),
    );
    expect(now.meeting?.locked).toBe(true);
  });
});
