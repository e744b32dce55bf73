/** @jest-environment jsdom */
import { settle } from '../../../../tests/fakeTimers.ts';
import type { BlurCamera, BlurProblem } from './cameraEffect.ts';
import { LocalDevices } from './LocalDevices.ts';

/** As much of a track as devices look at. */
class FakeTrack extends EventTarget {
  readonly kind: string;
  readyState: MediaStreamTrackState = 'live';
  contentHint = '';

  constructor(kind: string) {
    super();
    this.kind = kind;
  }

  stop(): void {
    this.readyState = 'ended';
  }

  /** The device was pulled out. */
  vanish(): void {
    this.stop();
    this.dispatchEvent(new Event('ended'));
  }
}

const asTrack = (track: FakeTrack) => track as unknown as MediaStreamTrack;

let cameras: FakeTrack[];
let effects: { camera: MediaStreamTrack; track: FakeTrack; break: (problem: BlurProblem) => void }[];
let devices: LocalDevices;
let told: (MediaStreamTrack | null)[];
/** What the next wish for blur comes to; it waits where this does. */
let blurring: Promise<void>;

const blur: BlurCamera = async (camera, onProblem) => {
  await blurring;
  const track = new FakeTrack('video');
  effects.push({ camera, track, break: onProblem });
  return { track: asTrack(track), stop: () => track.stop() };
};

function open(load: () => Promise<BlurCamera | null> = async () => blur): LocalDevices {
  devices = new LocalDevices(load);
  devices.onTrack((source, track) => source === 'camera' && told.push(track));
  return devices;
}

const shown = () => devices.store.getState().camera.track;

beforeEach(() => {
  localStorage.clear();
  cameras = [];
  effects = [];
  told = [];
  blurring = Promise.resolve();
  const getUserMedia = async ({ audio, video }: MediaStreamConstraints) => {
    const made = (kind: string, wanted: unknown) => (wanted === undefined ? [] : [new FakeTrack(kind)]);
    const [microphones, opened] = [made('audio', audio), made('video', video)];
    cameras.push(...opened);
    return {
      getAudioTracks: () => microphones,
      getVideoTracks: () => opened,
      getTracks: () => [...microphones, ...opened],
    };
  };
  const mediaDevices = Object.assign(new EventTarget(), { getUserMedia, enumerateDevices: async () => [] });
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: mediaDevices });
});

afterEach(() => devices.stop());

it('shows the camera as it is, and loads nothing, until blur is asked for', async () => {
  let loads = 0;
  open(async () => {
    loads += 1;
    return blur;
  });
  expect(await devices.open('camera')).toBe(cameras[0]);
  expect(loads).toBe(0);
});

it('blurs a camera that is on, and takes it back, without opening the camera anew', async () => {
  open();
  await devices.open('camera');
  await devices.setBackgroundBlur(true);
  expect(effects[0]?.camera).toBe(cameras[0]);
  expect(shown()).toBe(effects[0]?.track);
  await devices.setBackgroundBlur(false);
  expect(shown()).toBe(cameras[0]);
  expect(effects[0]?.track.readyState).toBe('ended');
  expect(told).toEqual([effects[0]?.track, cameras[0]]);
  expect(cameras).toHaveLength(1);
});

it('remembers the wish, and never shows the camera as it is before the blur is there', async () => {
  open();
  await devices.setBackgroundBlur(true);
  devices.stop();
  let ready = () => {};
  blurring = new Promise((resolve) => (ready = resolve));
  open();
  const opened = devices.openBoth();
  await settle();
  expect(devices.store.getState()).toMatchObject({
    camera: { status: 'asking', track: null },
    microphone: { status: 'on' },
    blurStarting: true,
  });
  // Who comes in meanwhile waits for the same camera.
  const joining = devices.open('camera');
  ready();
  await opened;
  expect(await joining).toBe(effects[0]?.track);
  expect(cameras).toHaveLength(1);
  expect(devices.store.getState().blurStarting).toBe(false);
});

it('goes on with the camera as it is where blurring fails, and says so', async () => {
  open(() => Promise.reject(new Error('no model')));
  await devices.open('camera');
  await devices.setBackgroundBlur(true);
  expect(shown()).toBe(cameras[0]);
  expect(cameras[0]?.readyState).toBe('live');
  expect(devices.store.getState()).toMatchObject({
    backgroundBlur: false,
    blurProblem: 'failed',
    blurStarting: false,
    camera: { status: 'on' },
  });
});

it('does not complain where this installation has no blur', async () => {
  open(async () => null);
  await devices.setBackgroundBlur(true);
  expect(await devices.open('camera')).toBe(cameras[0]);
  expect(devices.store.getState().blurProblem).toBeNull();
});

it.each([
  ['slow', 'off'],
  ['failed', 'on'],
] as const)('goes back to the camera when it was %s while it ran, and remembers %s', async (problem, remembered) => {
  open();
  await devices.setBackgroundBlur(true);
  await devices.open('camera');
  effects[0]?.break(problem);
  await settle();
  expect(shown()).toBe(cameras[0]);
  expect(told).toEqual([cameras[0]]);
  expect(devices.store.getState()).toMatchObject({ backgroundBlur: false, blurProblem: problem });
  expect(localStorage.getItem('nolo.media.blur')).toBe(remembered);
});

it('stops the camera with its blur, also while that is still on its way', async () => {
  open();
  await devices.setBackgroundBlur(true);
  await devices.open('camera');
  devices.close('camera');
  expect([cameras[0]?.readyState, effects[0]?.track.readyState]).toEqual(['ended', 'ended']);

  let ready = () => {};
  blurring = new Promise((resolve) => (ready = resolve));
  const opening = devices.open('camera');
  await settle();
  devices.close('camera');
  ready();
  await expect(opening).rejects.toMatchObject({ kind: 'dismissed' });
  expect([cameras[1]?.readyState, effects[1]?.track.readyState]).toEqual(['ended', 'ended']);
  expect(devices.store.getState()).toMatchObject({ camera: { status: 'off', track: null }, blurStarting: false });
});

it('stops a camera that was closed before the browser gave it, and opens it anew when asked again', async () => {
  open();
  const opening = devices.open('camera');
  devices.close('camera');
  const again = devices.open('camera');
  await expect(opening).rejects.toMatchObject({ kind: 'dismissed' });
  expect(await again).toBe(cameras[1]);
  expect([cameras[0]?.readyState, cameras[1]?.readyState]).toEqual(['ended', 'live']);
  expect(devices.store.getState().camera).toMatchObject({ status: 'on', track: cameras[1] });
});

it('obeys the last of several wishes', async () => {
  open();
  await devices.open('camera');
  let ready = () => {};
  blurring = new Promise((resolve) => (ready = resolve));
  const first = devices.setBackgroundBlur(true);
  await settle();
  await devices.setBackgroundBlur(false);
  ready();
  await first;
  expect(shown()).toBe(cameras[0]);
  expect(effects[0]?.track.readyState).toBe('ended');
  expect(devices.store.getState()).toMatchObject({ backgroundBlur: false, blurStarting: false, blurProblem: null });
});

it('takes the next camera, blurred as well, when the one in use is gone', async () => {
  open();
  await devices.setBackgroundBlur(true);
  await devices.open('camera');
  cameras[0]?.vanish();
  await settle();
  expect(cameras).toHaveLength(2);
  expect(effects[1]?.camera).toBe(cameras[1]);
  expect(told).toEqual([effects[1]?.track]);
  expect(effects[0]?.track.readyState).toBe('ended');
});
