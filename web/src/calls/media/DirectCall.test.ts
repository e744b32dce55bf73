import { fakeTimers, settlePromises } from '../../../../packages/client/tests/fakeTimers.ts';
import { connectWithinMs, DirectCall, type CallSignal, type DirectState } from './DirectCall.ts';

const framesOfNobody = { sender: () => {}, receiver: () => {} };

/** Minimal connection for the negotiation. */
class FakePeer extends EventTarget {
  signalingState = 'stable';
  connectionState = 'new';
  localDescription: { type: string; sdp: string } | null = null;
  remoteDescription: unknown = null;
  readonly candidates: unknown[] = [];
  readonly places: { direction: string; sender: unknown; receiver: { track: unknown } }[] = [];
  restarts = 0;
  closed = false;
  createDataChannel() {
    return Object.assign(new EventTarget(), { readyState: 'connecting', send: () => {} });
  }
  addTransceiver(kind: string) {
    const place = { direction: 'sendrecv', sender: { replaceTrack: async () => {} }, receiver: { track: { kind } } };
    this.places.push(place);
    if (this.places.length === 4) queueMicrotask(() => this.dispatchEvent(new Event('negotiationneeded')));
    return place;
  }
  getTransceivers() {
    return this.places;
  }
  async setLocalDescription() {
    const type = this.signalingState === 'have-remote-offer' ? 'answer' : 'offer';
    this.localDescription = { type, sdp: `${type} of ${this.places.length}` };
    this.signalingState = type === 'offer' ? 'have-local-offer' : 'stable';
  }
  async setRemoteDescription(description: { type: string }) {
    this.remoteDescription = description;
    this.signalingState = description.type === 'offer' ? 'have-remote-offer' : 'stable';
    if (this.places.length === 0) for (let place = 0; place < 4; place += 1) this.addPlace();
  }
  addPlace() {
    this.places.push({
      direction: 'recvonly',
      sender: { replaceTrack: async () => {} },
      receiver: { track: { kind: 'x' } },
    });
  }
  async addIceCandidate(candidate: unknown) {
    this.candidates.push(candidate);
  }
  /** Simulates that the browser found an address. */
  find(candidate: string) {
    this.dispatchEvent(Object.assign(new Event('icecandidate'), { candidate: { toJSON: () => ({ candidate }) } }));
  }
  restartIce() {
    this.restarts += 1;
    this.dispatchEvent(new Event('negotiationneeded'));
  }
  close() {
    this.closed = true;
  }
  become(state: string) {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }
}

function side(instance: string, polite: boolean, clock = fakeTimers(), ringing = false) {
  const peers: FakePeer[] = [];
  const sent: CallSignal[] = [];
  const states: DirectState[] = [];
  const tracks: object[] = [];
  const call = new DirectCall({
    instance,
    polite,
    ringing,
    iceServers: [],
    timers: clock.timers,
    createPeer: () => {
      const peer = new FakePeer();
      peers.push(peer);
      return peer as unknown as RTCPeerConnection;
    },
    frames: framesOfNobody,
    sendSignal: (signal) => sent.push(signal),
    isSignalling: () => true,
    onState: (state) => states.push(state),
    onTracks: (theirs) => tracks.push(theirs),
    onSending: () => {},
  });
  return { call, peers, sent, states, tracks, clock };
}

/** Delivers the signals of each side until neither sends more. */
async function converse(a: ReturnType<typeof side>, b: ReturnType<typeof side>): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) {
    for (const signal of a.sent.splice(0)) b.call.receive(JSON.parse(JSON.stringify(signal)));
    for (const signal of b.sent.splice(0)) a.call.receive(JSON.parse(JSON.stringify(signal)));
    await settlePromises();
  }
}

test('both send a hello, one offers, and everything has its place from the first offer', async () => {
  const caller = side('a', false);
  const callee = side('b', true);
  caller.call.start();
  callee.call.start();
  await converse(caller, callee);
  expect(caller.peers).toHaveLength(1);
  expect(callee.peers).toHaveLength(1);
  expect(caller.peers[0]?.signalingState).toBe('stable');
  expect(callee.peers[0]?.signalingState).toBe('stable');
  expect(callee.peers[0]?.places.map(({ direction }) => direction)).toEqual(Array(4).fill('sendrecv'));
  expect(Object.keys(callee.tracks.at(-1) ?? {})).toEqual(['microphone', 'camera', 'screen', 'screen_audio']);
  caller.peers[0]?.become('connected');
  expect(caller.states).toEqual(['connected']);
  await caller.clock.advance(connectWithinMs * 2);
  expect(caller.states).toEqual(['connected']);
});

const rung = (instance: string, polite: boolean) => side(instance, polite, fakeTimers(), true);

test('both prepare while it rings, and no address leaves either side before the answer', async () => {
  const caller = rung('a', false);
  const callee = rung('b', true);
  const signals: CallSignal[] = [];
  for (const one of [caller, callee]) {
    const push = one.sent.push.bind(one.sent);
    one.sent.push = (...all) => (signals.push(...all), push(...all));
    one.call.start();
  }
  await converse(caller, callee);
  caller.peers[0]?.find('of a');
  callee.peers[0]?.find('of b');
  await converse(caller, callee);
  expect(callee.peers[0]?.signalingState).toBe('stable');
  expect(caller.peers[0]?.signalingState).toBe('have-local-offer');
  expect(signals.every(({ hello, description }) => hello === true || description?.type === 'offer')).toBe(true);
  await caller.clock.advance(connectWithinMs * 2);
  expect(caller.states).toEqual([]);

  const answer = callee.call.answer();
  expect(answer).toMatchObject({ from: 'b', to: 'a', description: { type: 'answer' } });
  // Arrives before the event that the call was answered, until which signals are ignored.
  caller.call.receive(answer);
  await settlePromises();
  expect(caller.peers[0]?.signalingState).toBe('have-local-offer');
  caller.call.accept();
  callee.call.accept();
  await converse(caller, callee);
  expect(caller.peers[0]?.signalingState).toBe('stable');
  expect(callee.peers[0]?.candidates).toEqual([{ candidate: 'of a' }]);
  expect([caller.peers.length, callee.peers.length]).toEqual([1, 1]);
});

test('the device that answers continues, of several that ring, with or without a message along', async () => {
  const caller = rung('a', false);
  const [phone, laptop] = [rung('p', true), rung('l', true)];
  for (const { call } of [caller, phone, laptop]) call.start();
  for (let turn = 0; turn < 3; turn += 1) {
    await converse(caller, phone);
    await converse(caller, laptop);
  }
  expect([phone, laptop].map(({ peers }) => peers[0]?.signalingState)).toEqual(['stable', 'stable']);
  caller.call.accept();
  laptop.call.accept();
  await converse(caller, laptop);
  expect(caller.peers).toHaveLength(1);
  expect(caller.peers[0]?.remoteDescription).toMatchObject({ type: 'answer' });
});

test('a connection not prepared while ringing starts with the answer', async () => {
  const caller = rung('a', false);
  caller.call.start();
  caller.sent.length = 0;
  caller.call.accept();
  const late = side('b', true);
  late.call.start();
  await converse(caller, late);
  expect(caller.peers[0]?.signalingState).toBe('stable');

  // Likewise if an offer was made that this device never saw.
  const secondCall = rung('a', false);
  const gone = rung('p', true);
  secondCall.call.start();
  gone.call.start();
  await converse(secondCall, gone);
  secondCall.call.accept();
  const other = side('b', true);
  other.call.start();
  await converse(secondCall, other);
  expect(secondCall.peers[0]?.signalingState).toBe('stable');
  expect(other.peers[0]?.signalingState).toBe('stable');
});

test('a lost hello is repeated', async () => {
  const caller = side('a', false);
  caller.call.start();
  caller.sent.length = 0;
  await caller.clock.advance(1_500);
  expect(caller.sent).toEqual([{ from: 'a', hello: true }]);
});

test('the connection is new after a reload of the other side, and old signals are ignored', async () => {
  const caller = side('a', false);
  const before = side('b', true);
  caller.call.start();
  await converse(caller, before);
  caller.peers[0]?.become('connected');

  const after = side('b2', true);
  after.call.start();
  await converse(caller, after);
  expect(caller.peers[0]?.closed).toBe(true);
  expect(caller.peers[1]?.signalingState).toBe('stable');
  expect(caller.states).toEqual(['connected', 'reconnecting']);
  caller.call.receive({ from: 'b', to: 'a', candidate: { candidate: 'old' } });
  await settlePromises();
  expect(caller.peers[1]?.candidates).toEqual([]);
});

test('a path that is not found in time, or not found again, fails', async () => {
  const caller = side('a', false);
  const callee = side('b', true, caller.clock);
  caller.call.start();
  await converse(caller, callee);
  await caller.clock.advance(connectWithinMs);
  expect(caller.states).toEqual(['failed']);

  const secondCall = side('a', false);
  const other = side('b', true);
  secondCall.call.start();
  await converse(secondCall, other);
  secondCall.peers[0]?.become('connected');
  secondCall.peers[0]?.become('disconnected');
  expect(secondCall.peers[0]?.restarts).toBe(0);
  await secondCall.clock.advance(1_000);
  expect(secondCall.peers[0]?.restarts).toBe(1);
  await secondCall.clock.advance(connectWithinMs);
  expect(secondCall.states).toEqual(['connected', 'reconnecting', 'failed']);
});

test('both restart at once: the polite side takes the other’s offer', async () => {
  const caller = side('a', false);
  const callee = side('b', true);
  caller.call.start();
  callee.call.start();
  await converse(caller, callee);
  caller.call.networkChanged();
  callee.call.networkChanged();
  await settlePromises();
  await converse(caller, callee);
  expect(caller.peers[0]?.signalingState).toBe('stable');
  expect(callee.peers[0]?.signalingState).toBe('stable');
  expect(callee.peers[0]?.localDescription?.type).toBe('answer');
});

test('invalid signals have no effect', () => {
  const caller = side('a', false);
  caller.call.start();
  for (const data of [
    null,
    3,
    {},
    { from: 'x', description: { type: 'offer' } },
    { from: 'b', to: 'z', hello: true },
  ]) {
    caller.call.receive(data);
  }
  expect(caller.peers).toHaveLength(0);
});
