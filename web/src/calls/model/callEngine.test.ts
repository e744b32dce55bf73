import type { User } from '@nolo/api';
import { createIncomingCall, fakeCallServer, createOwnCall, FakeCallError } from '../../../tests/fakeCalls.ts';
import { fakeTimers, settlePromises } from '../../../../packages/client/tests/fakeTimers.ts';
import type { CallNotice } from './callPorts.ts';
import { createCallEngine } from './callEngine.ts';

function start(prepare: (server: ReturnType<typeof fakeCallServer>) => void = () => {}) {
  const server = fakeCallServer();
  prepare(server);
  const clock = fakeTimers();
  const notices: CallNotice[] = [];
  const engine = createCallEngine({
    selfId: 'me',
    deviceId: 'tab',
    api: server.api,
    socket: server.socket,
    timers: clock.timers,
    failureOf: (error) =>
      error instanceof FakeCallError
        ? { passing: error.passing, code: error.code }
        : { passing: false, code: 'unknown' },
    onNotice: (notice) => notices.push(notice),
  });
  engine.start();
  const live = () => engine.store.getState().live;
  return { server, clock, engine, notices, live };
}

test('a call is placed, answered and hung up by the other person', async () => {
  const { server, engine, live, clock } = start();
  server.next('initiate', createOwnCall({ type: 'video' }));
  const begun = engine.begin({ conversationId: 'c1' }, 'video');
  expect(live()?.phase).toBe('starting');
  await begun;
  expect(live()).toMatchObject({ phase: 'outgoing', withCamera: true });
  server.frame('call_changed', { call: createOwnCall({ type: 'video', status: 'connecting' }) });
  expect(live()?.phase).toBe('connecting');

  server.next('update', createOwnCall({ type: 'video', status: 'connected' }));
  engine.flowing();
  expect(live()).toMatchObject({ phase: 'connected', talkingSince: clock.timers.now() });
  await settlePromises();
  expect(server.asked).toContain('update connected');

  await clock.advance(5_000);
  server.frame('call_ended', { call: createOwnCall({ status: 'ended', endReason: 'completed' }) });
  expect(live()).toMatchObject({ phase: 'ended', ending: 'disconnected', endedAt: clock.timers.now() });
  engine.dismiss();
  expect(live()).toBeNull();
});

test('a person without a conversation gets one first', async () => {
  const { server, engine } = start();
  server.next('initiate', createOwnCall());
  await engine.begin({ userId: 'you' }, 'audio');
  expect(server.asked).toContain('initiate with-you audio');
});

test.each([
  ['declined', 'declined'],
  ['busy', 'busy'],
  ['missed', 'noAnswer'],
  ['failed', 'failed'],
] as const)('an outgoing call that is %s shows it', async (endReason, ending) => {
  const { server, engine, live } = start();
  server.next('initiate', createOwnCall());
  await engine.begin({ conversationId: 'c1' }, 'audio');
  server.frame('call_ended', { call: createOwnCall({ status: 'ended', endReason }) });
  expect(live()).toMatchObject({ phase: 'ended', ending });
});

test('the answer itself reports that the other person is busy in another call', async () => {
  const { server, engine, live } = start();
  server.next('initiate', createOwnCall({ status: 'ended', endReason: 'busy' }));
  await engine.begin({ conversationId: 'c1' }, 'audio');
  expect(live()).toMatchObject({ phase: 'ended', ending: 'busy' });
});

test('a call that cannot be placed is reported once, and leaves nothing', async () => {
  const { server, engine, live, notices } = start();
  server.next('initiate', new FakeCallError('user_unavailable'));
  await engine.begin({ conversationId: 'c1' }, 'audio');
  expect(live()).toBeNull();
  expect(notices).toMatchObject([{ kind: 'failed', step: 'start' }]);
});

test('a call cancelled before the server has answered is ended there too', async () => {
  const { server, engine, live } = start();
  server.next('initiate', createOwnCall());
  server.next('end', createOwnCall({ status: 'ended', endReason: 'cancelled' }));
  const begun = engine.begin({ conversationId: 'c1' }, 'audio');
  engine.end();
  await begun;
  await settlePromises();
  expect(live()).toBeNull();
  expect(server.asked).toContain('end call-you-1');
});

test('a cancelled call is not revived by an earlier frame', async () => {
  const { server, engine, live } = start();
  server.next('initiate', createOwnCall());
  server.next('end', createOwnCall({ status: 'ended', endReason: 'cancelled' }));
  const begun = engine.begin({ conversationId: 'c1' }, 'audio');
  engine.end();
  // The frame arrives before the answer.
  server.frame('call_initiated', { call: createOwnCall() });
  expect(live()).toBeNull();
  await begun;
  await settlePromises();
  expect(server.asked).toContain('end call-you-1');
  server.frame('call_changed', { call: createOwnCall({ status: 'connecting' }) });
  expect(live()).toBeNull();

  // The next call is a different one.
  server.next('initiate', createOwnCall({ id: 'call-you-2' }));
  await engine.begin({ conversationId: 'c1' }, 'audio');
  expect(live()).toMatchObject({ phase: 'outgoing', call: { id: 'call-you-2' } });
});

test('someone who hung up and is rung again is in that call once more', async () => {
  const { server, engine, live } = start();
  const mine = { state: 'joined', deviceId: 'tab' } as const;
  const going = { status: 'connected', mode: 'room' } as const;
  server.frame('call_initiated', { call: createIncomingCall() });
  server.next('answer', createIncomingCall(going, mine, { state: 'joined' }));
  await engine.answer(false);
  server.next('end', createIncomingCall(going, { state: 'left' }, { state: 'joined' }));
  engine.end();
  await settlePromises();
  expect(live()).toBeNull();

  server.frame('call_changed', { call: createIncomingCall(going, { state: 'ringing' }, { state: 'joined' }) });
  expect(live()?.phase).toBe('incoming');
  server.next('answer', createIncomingCall(going, mine, { state: 'joined' }));
  await engine.answer(false);
  expect(live()?.phase).toBe('connected');
});

test('an incoming call rings, finds out who is calling, and is answered in this tab', async () => {
  const user = { id: 'you', displayName: 'Amara' } as never;
  const { server, engine, live } = start((one) => one.keep(createIncomingCall({}, {}, { user })));
  server.frame('call_initiated', { call: createIncomingCall() });
  expect(live()).toMatchObject({ phase: 'incoming', withCamera: false });
  await settlePromises();
  expect(live()?.call?.participants[0]?.user).toBe(user);

  server.next(
    'answer',
    createIncomingCall({ status: 'connecting' }, { state: 'joined', deviceId: 'tab' }, { state: 'joined' }),
  );
  await engine.answer(false);
  expect(server.asked).toContain('answer call-me-1 tab');
  expect(live()?.phase).toBe('connecting');
  // Frames do not describe people.
  expect(live()?.call?.participants[0]?.user).toBe(user);
});

test('a person added by someone else meanwhile is fetched once, and shown by name', async () => {
  const amara = { id: 'you', displayName: 'Amara' } as User;
  const noor = { id: 'noor', displayName: 'Noor' } as User;
  const joined = { state: 'joined', user: amara } as const;
  const { server, engine, live } = start((one) => one.keep(createIncomingCall({}, {}, joined)));
  server.frame('call_initiated', { call: createIncomingCall() });
  await settlePromises();
  server.next('answer', createIncomingCall({ status: 'connected' }, { state: 'joined', deviceId: 'tab' }, joined));
  await engine.answer(false);
  const names = () => live()?.call?.participants.map(({ user }) => user?.displayName);
  const withNoor = (user: User | null) => {
    const call = createIncomingCall(
      { status: 'connected', mode: 'room' },
      { state: 'joined', deviceId: 'tab' },
      { state: 'joined' },
    );
    const [first] = call.participants;
    if (!first) throw new Error('Nobody calls.');
    return { ...call, participants: [...call.participants, { ...first, userId: 'noor', user }] };
  };
  server.keep(withNoor(noor));
  const before = server.asked.length;
  server.frame('call_changed', { call: withNoor(null) });
  server.frame('call_changed', { call: withNoor(null) });
  await settlePromises();
  expect(names()).toContain('Noor');
  expect(names()).toContain('Amara');
  expect(server.asked.slice(before)).toHaveLength(1);
});

test('a call answered on another device stops here and shows the reason', async () => {
  const { server, live, notices } = start();
  server.frame('call_initiated', { call: createIncomingCall() });
  server.frame('call_changed', {
    call: createIncomingCall({ status: 'connecting' }, { state: 'joined', deviceId: 'phone' }, { state: 'joined' }),
  });
  expect(live()).toBeNull();
  expect(notices).toEqual([{ kind: 'elsewhere' }]);
});

test('two tabs answer at once: the second is informed that it was too late', async () => {
  const { server, engine, live, notices } = start();
  server.frame('call_initiated', { call: createIncomingCall() });
  server.next('answer', new FakeCallError('call_answered_elsewhere'));
  await engine.answer(true);
  expect(live()).toBeNull();
  expect(notices).toEqual([{ kind: 'elsewhere' }]);
});

test('an incoming call that ends before it is answered leaves nothing on the screen', () => {
  const { server, live, notices } = start();
  server.frame('call_initiated', { call: createIncomingCall() });
  server.frame('call_ended', {
    call: createIncomingCall({ status: 'ended', endReason: 'cancelled' }, { state: 'missed' }),
  });
  expect(live()).toBeNull();
  expect(notices).toEqual([]);
});

test('declining stops the ringing at once, and is repeated until it arrives', async () => {
  const { server, engine, live, clock } = start();
  server.frame('call_initiated', { call: createIncomingCall() });
  server.next('decline', new FakeCallError('network_error', true));
  server.next('decline', createIncomingCall({ status: 'ended', endReason: 'declined' }, { state: 'declined' }));
  engine.decline();
  expect(live()).toBeNull();
  await settlePromises();
  await clock.advance(2_000);
  expect(server.asked.filter((one) => one === 'decline call-me-1')).toHaveLength(2);
});

test('two people call each other: the answer is the crossing call, already answered', async () => {
  const { server, engine, live } = start();
  server.next(
    'initiate',
    createIncomingCall({ status: 'connecting' }, { state: 'joined', deviceId: 'tab' }, { state: 'joined' }),
  );
  const begun = engine.begin({ conversationId: 'c1' }, 'audio');
  server.frame('call_initiated', { call: createIncomingCall() });
  await begun;
  expect(live()).toMatchObject({ phase: 'connecting', call: { callerId: 'you' } });
});

test('a starting call is neither replaced nor ended by frames about other calls', async () => {
  const { server, engine, live } = start();
  server.next('initiate', createOwnCall());
  const begun = engine.begin({ conversationId: 'c1' }, 'audio');
  server.frame('call_initiated', { call: createIncomingCall({ id: 'call-me-9', conversationId: 'c9' }) });
  server.frame('call_ended', { call: createOwnCall({ id: 'call-you-0', status: 'ended', endReason: 'completed' }) });
  expect(live()?.phase).toBe('starting');
  await begun;
  expect(live()).toMatchObject({ phase: 'outgoing', call: { id: 'call-you-1' } });
});

test('pressing the call button while the same person is ringing answers', async () => {
  const { server, engine, live } = start();
  server.frame('call_initiated', { call: createIncomingCall() });
  server.next(
    'answer',
    createIncomingCall({ status: 'connecting' }, { state: 'joined', deviceId: 'tab' }, { state: 'joined' }),
  );
  await engine.begin({ conversationId: 'c1' }, 'audio');
  expect(live()?.phase).toBe('connecting');
  expect(server.asked.some((one) => one.startsWith('initiate'))).toBe(false);
});

test('an answer that arrives after a newer frame reverts nothing', async () => {
  const { server, engine, live } = start();
  server.next('initiate', createOwnCall());
  await engine.begin({ conversationId: 'c1' }, 'audio');
  server.frame('call_changed', { call: createOwnCall({ status: 'connected', type: 'video', mode: 'room' }) });
  server.frame('call_changed', { call: createOwnCall({ status: 'connecting' }) });
  expect(live()).toMatchObject({ phase: 'connected', type: 'video', call: { mode: 'room' } });
});

test('one call at a time: another one waits, and rings when the first is over', async () => {
  const { server, engine, live } = start();
  server.next('initiate', createOwnCall());
  await engine.begin({ conversationId: 'c1' }, 'audio');
  const other = createIncomingCall({ id: 'call-me-2', conversationId: 'c2' });
  server.frame('call_initiated', { call: other });
  expect(live()?.call?.id).toBe('call-you-1');
  server.keep(other);
  engine.end();
  await settlePromises();
  expect(live()).toMatchObject({ phase: 'incoming', call: { id: 'call-me-2' } });
});

test('a reload returns to its call, and counts from when it began', async () => {
  const connected = createOwnCall({ status: 'connected', startedAt: new Date(900_000).toISOString() });
  const { live } = start((server) => server.keep(connected));
  await settlePromises();
  expect(live()).toMatchObject({ phase: 'connected', talkingSince: 900_000 });
});

test('a call on another device of the same person is not this tab’s', async () => {
  const call = createOwnCall({ status: 'connected' });
  const elsewhere = {
    ...call,
    participants: call.participants.map((one) => (one.userId === 'me' ? { ...one, deviceId: 'phone' } : one)),
  };
  const { live } = start((server) => server.keep(elsewhere));
  await settlePromises();
  expect(live()).toBeNull();
});

test('events missed while the connection was down are fetched', async () => {
  const { server, engine, live } = start();
  server.next('initiate', createOwnCall());
  await engine.begin({ conversationId: 'c1' }, 'audio');
  server.setOpen(false);
  server.keep(createOwnCall({ status: 'ended', endReason: 'declined' }));
  server.setOpen(true);
  await settlePromises();
  expect(live()).toMatchObject({ phase: 'ended', ending: 'declined' });
});

test('a lost notice that nobody answered is requested', async () => {
  const { server, engine, live, clock } = start();
  server.next('initiate', createOwnCall());
  await engine.begin({ conversationId: 'c1' }, 'audio');
  server.keep(createOwnCall({ status: 'ended', endReason: 'missed' }));
  await clock.advance(49_000);
  expect(live()?.phase).toBe('outgoing');
  await clock.advance(2_000);
  await settlePromises();
  expect(live()).toMatchObject({ phase: 'ended', ending: 'noAnswer' });
});

test('someone added later has no conversation to return to', () => {
  const { server, live } = start();
  const invited = createIncomingCall({ id: 'call-other-5', status: 'connected', mode: 'room' });
  server.frame('call_initiated', { call: invited });
  expect(live()).toMatchObject({ phase: 'incoming', conversationId: null });
});

describe('states out of order', () => {
  test('an older frame brings nobody back into a call', async () => {
    const { server, engine, live } = start();
    const withThem = createOwnCall({ mode: 'room', status: 'connected', version: 5 });
    server.next('initiate', withThem);
    await engine.begin({ conversationId: 'c1' }, 'audio');
    server.frame('call_changed', { call: createOwnCall({ ...withThem, version: 7 }, { state: 'left' }) });
    server.frame('call_changed', { call: createOwnCall({ ...withThem, version: 6 }) });
    expect(live()?.call?.participants[1]?.state).toBe('left');
    server.frame('call_changed', { call: createOwnCall({ ...withThem, version: 8 }) });
    expect(live()?.call?.participants[1]?.state).toBe('joined');
  });

  test('a call that has ended does not ring again', () => {
    const { server, live } = start();
    server.frame('call_ended', {
      call: createIncomingCall({ status: 'ended', endReason: 'cancelled', version: 2 }, { state: 'missed' }),
    });
    server.frame('call_initiated', { call: createIncomingCall({ version: 1 }) });
    expect(live()).toBeNull();
  });
});
