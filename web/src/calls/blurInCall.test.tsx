/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createOwnCall } from '../../tests/fakeCalls.ts';
import { fakeTimers, settlePromises } from '../../../packages/client/tests/fakeTimers.ts';
import type { LiveCall } from './model/callPhase.ts';
import { LocalDevices } from '../meetings/room/media/LocalDevices.ts';
import { featureStore } from '../session/features.ts';
import { TestProviders } from '../testing/TestProviders.tsx';
import { CallDevices } from './CallDevices.tsx';
import { callSession } from './callSession.ts';
import { CallMedia } from './media/CallMedia.ts';

/** Minimal track, with what the code reads on its way to the other side. */
class FakeTrack extends EventTarget {
  readonly kind: string;
  readyState = 'live';
  contentHint = '';
  enabled = true;

  constructor(kind: string) {
    super();
    this.kind = kind;
  }

  stop(): void {
    this.readyState = 'ended';
  }

  clone(): FakeTrack {
    return new FakeTrack(this.kind);
  }
}

/** Connection that records what each of its transceivers sends. */
class FakePeer extends EventTarget {
  readonly sent: unknown[] = [];

  createDataChannel() {
    return Object.assign(new EventTarget(), { readyState: 'connecting' });
  }

  addTransceiver(first: unknown) {
    const place = this.sent.push(first) - 1;
    const replaceTrack = async (track: unknown) => void (this.sent[place] = track);
    return { sender: { replaceTrack }, receiver: { track: {} } };
  }

  getTransceivers() {
    return this.sent.map(() => ({ receiver: { track: {} } }));
  }

  close() {}
}

let devices: LocalDevices;
let media: CallMedia;
let camera: FakeTrack;
let blurred: FakeTrack;
let peer: FakePeer;

beforeEach(async () => {
  localStorage.clear();
  camera = new FakeTrack('video');
  blurred = new FakeTrack('video');
  peer = new FakePeer();
  // APIs of this browser that jsdom lacks.
  Object.assign(globalThis, { OffscreenCanvas: class {}, Worker: class {}, MediaStreamTrackGenerator: class {} });
  const getUserMedia = async ({ video }: MediaStreamConstraints) => {
    const tracks = [video === undefined ? new FakeTrack('audio') : camera];
    return { getTracks: () => tracks };
  };
  const mediaDevices = Object.assign(new EventTarget(), { getUserMedia, enumerateDevices: async () => [] });
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: mediaDevices });
  featureStore.setState({ features: { ...featureStore.getState().features, backgroundBlur: true } });

  devices = new LocalDevices(async () => async () => ({
    track: blurred as unknown as MediaStreamTrack,
    stop: () => blurred.stop(),
  }));
  let signal: (data: never) => void = () => undefined;
  const call = createOwnCall({ status: 'connecting', type: 'video' });
  media = new CallMedia({
    selfId: 'me',
    engine: { deviceId: 'tab', flowing: () => undefined, toRoom: async () => true, lost: () => undefined },
    socket: {
      isOpen: true,
      send: () => undefined,
      request: () => new Promise<never>(() => undefined),
      subscribe: (type, handler) => {
        if (type === 'webrtc_signal') signal = handler as typeof signal;
        return () => undefined;
      },
      onChange: () => () => undefined,
    },
    timers: fakeTimers().timers,
    own: devices,
    newId: () => 'mine',
    createPeer: () => peer as unknown as RTCPeerConnection,
    frames: { sender: () => undefined, receiver: () => undefined },
    iceServers: async () => [],
    device: () => new Promise(() => undefined),
    onProblem: () => undefined,
    onTime: () => undefined,
  });
  callSession.setState({ media, devices });
  media.follow({ phase: 'connected', call, type: 'video', withCamera: true } as LiveCall);
  await settlePromises();
  signal({ callId: call.id, targetDeviceId: null, signalData: { from: 'yours', hello: true } } as never);
  await settlePromises();
});
afterEach(() => {
  cleanup();
  media.close();
  devices.stop();
  callSession.setState({ media: null, devices: null });
  featureStore.setState(featureStore.getInitialState());
  jest.restoreAllMocks();
});

test('the switch in a call changes what the other person receives, without reopening the camera', async () => {
  const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
  expect(peer.sent).toContain(camera);
  render(<CallDevices onClose={() => undefined} />, { wrapper: TestProviders });

  const blur = screen.getByRole('switch', { name: /^Blur the background/ });
  await user.click(blur);
  await waitFor(() => expect(peer.sent).toContain(blurred));
  expect(peer.sent).not.toContain(camera);
  expect(media.store.getState().own.camera).toBe(blurred);

  await user.click(blur);
  await waitFor(() => expect(peer.sent).toContain(camera));
  expect([blurred.readyState, camera.readyState]).toEqual(['ended', 'live']);
});
