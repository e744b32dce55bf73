/** @jest-environment jsdom */
import { settlePromises } from '../../../../../packages/client/tests/fakeTimers.ts';
import type { BlurCamera, BlurProblem } from './cameraEffect.ts';
import { LocalDevices } from './LocalDevices.ts';

/** Fake of a track, with what devices use. */
class FakeTrack extends EventTarget {
  readonly kind: string;
  readyState: MediaStreamTrackState = 'live';
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
    const other = new FakeTrack(this.kind);
    clones.push({ of: this, track: other });
    return other;
  }

  /** Simulates unplugging the device. */
  vanish(): void {
    this.stop();
    this.dispatchEvent(new Event('ended'));
  }
}

const asTrack = (track: FakeTrack) => track as unknown as MediaStreamTrack;

let cameras: FakeTrack[];
let clones: { of: FakeTrack; track: FakeTrack }[];
let effects: { camera: MediaStreamTrack; track: FakeTrack; reportProblem: (problem: BlurProblem) => void }[];
let devices: LocalDevices;
let trackEvents: (MediaStreamTrack | string | undefined)[];
/** Outcome of the next blur request, which waits for this promise. */
let blurring: Promise<void>;

const blur: BlurCamera = async (camera, onProblem) => {
  await blurring;
  const track = new FakeTrack('video');
  effects.push({ camera, track, reportProblem: onProblem });
  return { track: asTrack(track), stop: () => track.stop() };
};

function open(load: () => Promise<BlurCamera | null> = async () => blur): LocalDevices {
  devices = new LocalDevices(load);
  devices.onTrack((source, track, problem) => source === 'camera' && trackEvents.push(track ?? problem));
  return devices;
}

const shown = () => devices.store.getState().camera.track;

beforeEach(() => {
  localStorage.clear();
  cameras = [];
  clones = [];
  effects = [];
  trackEvents = [];
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

it('shows the plain camera, and loads nothing, until blur is requested', async () => {
  let loads = 0;
  open(async () => {
    loads += 1;
    return blur;
  });
  expect(await devices.open('camera')).toBe(cameras[0]);
  expect(loads).toBe(0);
});

it('blurs a camera that is on, and undoes it, without reopening the camera', async () => {
  open();
  await devices.open('camera');
  await devices.setBackgroundBlur(true);
  expect(effects[0]?.camera).toBe(clones[0]?.track);
  expect(clones[0]?.of).toBe(cameras[0]);
  expect(shown()).toBe(effects[0]?.track);
  await devices.setBackgroundBlur(false);
  expect(shown()).toBe(cameras[0]);
  expect(cameras[0]?.enabled).toBe(true);
  expect([effects[0]?.track.readyState, clones[0]?.track.readyState]).toEqual(['ended', 'ended']);
  expect(trackEvents).toEqual([effects[0]?.track, cameras[0]]);
  expect(cameras).toHaveLength(1);
});

it('remembers the choice, and never shows the plain camera before the blur is ready', async () => {
  open();
  await devices.setBackgroundBlur(true);
  devices.stop();
  let ready = () => {};
  blurring = new Promise((resolve) => (ready = resolve));
  open();
  const opened = devices.openBoth();
  await settlePromises();
  expect(devices.store.getState()).toMatchObject({
    camera: { status: 'requesting', track: null },
    microphone: { status: 'on' },
    blurStarting: true,
  });
  expect(cameras[0]?.enabled).toBe(false);
  // A user who joins meanwhile waits for the same camera.
  const joining = devices.open('camera');
  ready();
  await opened;
  expect(await joining).toBe(effects[0]?.track);
  expect(cameras).toHaveLength(1);
  expect(devices.store.getState().blurStarting).toBe(false);
});

it('blacks out a camera in use from the moment that blur is requested', async () => {
  open();
  const before = await devices.open('camera');
  blurring = new Promise(() => {});
  void devices.setBackgroundBlur(true);
  expect(shown()).toBe(before);
  expect(before.enabled).toBe(false);
});

const unblurred = { status: 'failed', track: null, problem: 'unblurred' };

it.each([
  ['fails', () => Promise.reject(new Error('no model'))],
  ['is unavailable in this installation', async () => null],
])('turns the camera off if blurring %s, until blur is switched off', async (_why, load) => {
  open(load);
  await devices.open('camera');
  await devices.setBackgroundBlur(true);
  expect(trackEvents).toEqual(['unblurred']);
  expect([cameras[0]?.readyState, clones[0]?.track.readyState]).toEqual(['ended', 'ended']);
  expect(devices.store.getState()).toMatchObject({ backgroundBlur: true, blurStarting: false, camera: unblurred });

  await expect(devices.open('camera')).rejects.toMatchObject({ kind: 'unblurred' });
  await devices.openBoth();
  expect(cameras.map(({ readyState, enabled }) => [readyState, enabled])).toEqual(cameras.map(() => ['ended', false]));
  expect(devices.store.getState()).toMatchObject({ camera: unblurred, microphone: { status: 'on' } });

  // The camera opens only on request, because it may be switched off by now.
  const before = cameras.length;
  await devices.setBackgroundBlur(false);
  expect(cameras).toHaveLength(before);
  expect(await devices.open('camera')).toBe(cameras[before]);
});

it('turns the camera off when its blur breaks while running, and reopens it blurred on request', async () => {
  open();
  await devices.setBackgroundBlur(true);
  await devices.open('camera');
  effects[0]?.reportProblem('failed');
  expect(trackEvents).toEqual(['unblurred']);
  expect(cameras[0]).toMatchObject({ readyState: 'ended', enabled: false });
  expect(devices.store.getState()).toMatchObject({ backgroundBlur: true, camera: unblurred });
  expect(localStorage.getItem('nolo.media.blur')).toBe('on');

  expect(await devices.open('camera')).toBe(effects[1]?.track);
  // Ended effects report nothing.
  effects[0]?.reportProblem('failed');
  expect(shown()).toBe(effects[1]?.track);
});

it('shows the camera if a blur fails after it was switched off', async () => {
  let fail = () => {};
  open(() => new Promise((_, reject) => (fail = () => reject(new Error('no model')))));
  await devices.setBackgroundBlur(true);
  const opened = devices.open('camera');
  await settlePromises();
  await devices.setBackgroundBlur(false);
  fail();
  expect(await opened).toBe(cameras[0]);
  expect(cameras[0]?.enabled).toBe(true);
});

it('keeps blurring on a machine that is too slow for it, with a notice', async () => {
  open();
  await devices.setBackgroundBlur(true);
  await devices.open('camera');
  effects[0]?.reportProblem('slow');
  await settlePromises();
  expect(shown()).toBe(effects[0]?.track);
  expect(trackEvents).toEqual([]);
  expect(devices.store.getState()).toMatchObject({ backgroundBlur: true, blurSlow: true });
});

it('stops the camera with its blur, also while the blur is starting', async () => {
  open();
  await devices.setBackgroundBlur(true);
  await devices.open('camera');
  devices.close('camera');
  expect([cameras[0]?.readyState, effects[0]?.track.readyState]).toEqual(['ended', 'ended']);

  let ready = () => {};
  blurring = new Promise((resolve) => (ready = resolve));
  const opening = devices.open('camera');
  await settlePromises();
  devices.close('camera');
  ready();
  await expect(opening).rejects.toMatchObject({ kind: 'dismissed' });
  expect([cameras[1]?.readyState, effects[1]?.track.readyState]).toEqual(['ended', 'ended']);
  expect(devices.store.getState()).toMatchObject({ camera: { status: 'off', track: null }, blurStarting: false });
});

it('stops a camera that was closed before the browser provided it, and reopens it on request', async () => {
  open();
  const opening = devices.open('camera');
  devices.close('camera');
  const secondOpening = devices.open('camera');
  await expect(opening).rejects.toMatchObject({ kind: 'dismissed' });
  expect(await secondOpening).toBe(cameras[1]);
  expect([cameras[0]?.readyState, cameras[1]?.readyState]).toEqual(['ended', 'live']);
  expect(devices.store.getState().camera).toMatchObject({ status: 'on', track: cameras[1] });
});

it('follows the last of several requests', async () => {
  open();
  await devices.open('camera');
  let ready = () => {};
  blurring = new Promise((resolve) => (ready = resolve));
  const first = devices.setBackgroundBlur(true);
  await settlePromises();
  await devices.setBackgroundBlur(false);
  ready();
  await first;
  expect(shown()).toBe(cameras[0]);
  expect(effects[0]?.track.readyState).toBe('ended');
  expect(cameras[0]?.enabled).toBe(true);
  expect(devices.store.getState()).toMatchObject({ backgroundBlur: false, blurStarting: false, blurSlow: false });
});

it('switches to the next camera, blurred as well, when the current one is gone', async () => {
  open();
  await devices.setBackgroundBlur(true);
  await devices.open('camera');
  cameras[0]?.vanish();
  await settlePromises();
  expect(cameras).toHaveLength(2);
  expect(clones[1]?.of).toBe(cameras[1]);
  expect(trackEvents).toEqual([effects[1]?.track]);
  expect(effects[0]?.track.readyState).toBe('ended');
});
