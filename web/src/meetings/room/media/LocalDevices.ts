import { createStore } from 'zustand/vanilla';
import { loadBlurCamera, type BlurCamera } from './cameraEffect.ts';
import { CameraLook } from './CameraLook.ts';
import {
  chosenDevice,
  rememberBackgroundBlur,
  rememberDevice,
  rememberNoiseSuppression,
  remembersBackgroundBlur,
  remembersNoiseSuppression,
} from '../../../device/deviceChoice.ts';
import type { DeviceKind } from '../../../device/deviceChoice.ts';
import { MediaProblem, type DeviceSource, type OwnDevices, type ProblemKind, type TrackHandler } from './ports.ts';

export interface DeviceEntry {
  id: string;
  /** Empty until the browser may tell. */
  label: string;
}

export interface SourceState {
  status: 'off' | 'asking' | 'on' | 'failed';
  track: MediaStreamTrack | null;
  problem: ProblemKind | null;
}

export interface LocalDevicesState {
  microphone: SourceState;
  camera: SourceState;
  devices: Readonly<Record<DeviceKind, readonly DeviceEntry[]>>;
  chosen: Readonly<Record<DeviceKind, string | null>>;
  noiseSuppression: boolean;
  /** The wish. Only who has it takes it back: until then no camera is shown that is not blurred. */
  backgroundBlur: boolean;
  /** What it takes is still on its way. */
  blurStarting: boolean;
  /** This machine is too slow for it, until somebody has said so. */
  blurSlow: boolean;
}

const off: SourceState = { status: 'off', track: null, problem: null };

const kinds: Readonly<Record<MediaDeviceKind, DeviceKind>> = {
  audioinput: 'microphone',
  videoinput: 'camera',
  audiooutput: 'speaker',
};

/** What the browser's refusal means for a person. */
export function problemOf(error: unknown): ProblemKind {
  const name = (error as { name?: unknown } | null)?.name;
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  if (name === 'NotFoundError' || name === 'OverconstrainedError' || name === 'DevicesNotFoundError') return 'missing';
  if (name === 'NotReadableError' || name === 'AbortError' || name === 'TrackStartError') return 'busy';
  return 'failed';
}

export function constraintsFor(
  source: DeviceSource,
  deviceId: string | null,
  noiseSuppression: boolean,
): MediaStreamConstraints {
  const wanted = deviceId === null ? {} : { deviceId: { ideal: deviceId } };
  if (source === 'microphone') {
    return { audio: { ...wanted, echoCancellation: true, autoGainControl: true, noiseSuppression } };
  }
  return { video: { ...wanted, width: { ideal: 1_280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } } };
}

/** The microphones, cameras and speakers of this device, and the tracks that are open. */
export class LocalDevices implements OwnDevices {
  readonly store = createStore<LocalDevicesState>(() => ({
    microphone: off,
    camera: off,
    devices: { microphone: [], camera: [], speaker: [] },
    chosen: {
      microphone: chosenDevice(localStorage, 'microphone'),
      camera: chosenDevice(localStorage, 'camera'),
      speaker: chosenDevice(localStorage, 'speaker'),
    },
    noiseSuppression: remembersNoiseSuppression(localStorage),
    backgroundBlur: remembersBackgroundBlur(localStorage),
    blurStarting: false,
    blurSlow: false,
  }));
  readonly #handlers = new Set<TrackHandler>();
  readonly #opening = new Map<DeviceSource, Promise<MediaStreamTrack>>();
  readonly #refresh = () => void this.refresh();
  readonly #look: CameraLook;
  /** How often each was closed: who opened it before that finds it is not wanted any more. */
  readonly #closings = { microphone: 0, camera: 0 };
  #closed = false;

  constructor(loadBlur: () => Promise<BlurCamera | null> = loadBlurCamera) {
    this.#look = new CameraLook(loadBlur, (problem) => {
      if (problem === 'slow') this.store.setState({ blurSlow: true });
      else this.#unblurred();
    });
    // Without a secure page there are no devices at all.
    navigator.mediaDevices?.addEventListener('devicechange', this.#refresh);
    this.#refresh();
  }

  open(source: DeviceSource): Promise<MediaStreamTrack> {
    const { status, track } = this.store.getState()[source];
    if (status === 'on' && track?.readyState === 'live') return Promise.resolve(track);
    return this.#opening.get(source) ?? this.#beOpening(source, this.#open(source));
  }

  /** Both with one question; where that fails, one after the other tells which of them it was. */
  async openBoth(): Promise<void> {
    const asking: SourceState = { status: 'asking', track: null, problem: null };
    const { chosen, noiseSuppression } = this.store.getState();
    this.store.setState({ microphone: asking, camera: asking });
    const closings = { ...this.#closings };
    let stream: MediaStream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({
        ...constraintsFor('microphone', chosen.microphone, noiseSuppression),
        ...constraintsFor('camera', chosen.camera, noiseSuppression),
      });
    } catch {
      await Promise.allSettled([this.open('microphone'), this.open('camera')]);
      return;
    }
    const [microphone] = stream.getAudioTracks();
    const [camera] = stream.getVideoTracks();
    // Whoever asks for one of them meanwhile gets this one.
    await Promise.allSettled([
      microphone && this.#beOpening('microphone', this.#take('microphone', microphone, closings.microphone)),
      camera && this.#beOpening('camera', this.#take('camera', camera, closings.camera)),
    ]);
  }

  close(source: DeviceSource): void {
    this.#closings[source] += 1;
    this.#opening.delete(source);
    if (source === 'microphone') this.store.getState().microphone.track?.stop();
    else {
      this.#look.close();
      this.store.setState({ blurStarting: false });
    }
    this.store.setState({ [source]: off });
  }

  onTrack(handler: TrackHandler): () => void {
    this.#handlers.add(handler);
    return () => void this.#handlers.delete(handler);
  }

  async shareScreen(): Promise<{ video: MediaStreamTrack; audio: MediaStreamTrack | null }> {
    try {
      const stream = await navigator.mediaDevices.getDisplayMedia({
        video: { frameRate: { ideal: 15, max: 30 }, width: { max: 1_920 }, height: { max: 1_080 } },
        audio: true,
      });
      const [video] = stream.getVideoTracks();
      if (!video) throw new MediaProblem('missing');
      // What is shared is mostly text: sharp rather than smooth.
      video.contentHint = 'detail';
      return { video, audio: stream.getAudioTracks()[0] ?? null };
    } catch (error) {
      if (error instanceof MediaProblem) throw error;
      const kind = problemOf(error);
      throw new MediaProblem(kind === 'denied' ? 'dismissed' : kind, error);
    }
  }

  /** Takes another device from now on; what is open goes on with it. */
  async choose(kind: DeviceKind, id: string): Promise<void> {
    rememberDevice(localStorage, kind, id);
    this.store.setState(({ chosen }) => ({ chosen: { ...chosen, [kind]: id } }));
    if (kind !== 'speaker') await this.#reopen(kind);
  }

  async setNoiseSuppression(on: boolean): Promise<void> {
    rememberNoiseSuppression(localStorage, on);
    this.store.setState({ noiseSuppression: on });
    await this.#reopen('microphone');
  }

  /** From now on: the picture is dark until what blurs it is there. */
  async setBackgroundBlur(on: boolean): Promise<void> {
    rememberBackgroundBlur(localStorage, on);
    this.store.setState({ backgroundBlur: on, blurSlow: false });
    const { camera } = this.#look;
    // One that is being opened finds the new wish when it is there.
    if (camera === null || this.store.getState().camera.status !== 'on') return;
    await this.#showCamera(camera);
  }

  /** Asks the browser anew which devices there are; one that is used and gone has told so itself. */
  async refresh(): Promise<void> {
    const found = (await navigator.mediaDevices?.enumerateDevices().catch(() => [])) ?? [];
    const devices: Record<DeviceKind, DeviceEntry[]> = { microphone: [], camera: [], speaker: [] };
    for (const { kind, deviceId, label } of found) {
      // Before permission every kind is one entry without a name; that it exists is known.
      devices[kinds[kind]].push({ id: deviceId, label });
    }
    if (!this.#closed) this.store.setState({ devices });
  }

  stop(): void {
    this.#closed = true;
    navigator.mediaDevices?.removeEventListener('devicechange', this.#refresh);
    this.close('microphone');
    this.close('camera');
    this.#handlers.clear();
  }

  async #open(source: DeviceSource): Promise<MediaStreamTrack> {
    const { chosen, noiseSuppression } = this.store.getState();
    const closings = this.#closings[source];
    this.store.setState({ [source]: { status: 'asking', track: null, problem: null } });
    try {
      if (!navigator.mediaDevices) throw new MediaProblem('missing');
      const stream = await navigator.mediaDevices.getUserMedia(
        constraintsFor(source, chosen[source], noiseSuppression),
      );
      const [track] = stream.getTracks();
      if (!track) throw new MediaProblem('missing');
      return await this.#take(source, track, closings);
    } catch (error) {
      throw error instanceof MediaProblem ? error : new MediaProblem(problemOf(error), error);
    }
  }

  async #beOpening(source: DeviceSource, opened: Promise<MediaStreamTrack>): Promise<MediaStreamTrack> {
    this.#opening.set(source, opened);
    try {
      return await opened;
    } catch (error) {
      const problem = error instanceof MediaProblem ? error.kind : problemOf(error);
      // What was closed while it was opened has not failed, and may be on its way again.
      if (problem !== 'dismissed') this.store.setState({ [source]: { status: 'failed', track: null, problem } });
      throw error;
    } finally {
      if (this.#opening.get(source) === opened) this.#opening.delete(source);
    }
  }

  /** Answers the track that is shown, which for a camera need not be the device's own. */
  async #take(source: DeviceSource, device: MediaStreamTrack, closings: number): Promise<MediaStreamTrack> {
    if (this.#closed || closings !== this.#closings[source]) {
      device.stop();
      throw new MediaProblem('dismissed');
    }
    if (source === 'microphone') device.contentHint = 'speech';
    device.addEventListener('ended', () => void this.#lost(source, device));
    const track = source === 'camera' ? await this.#shownOf(device) : device;
    // Gone while what blurs it was on its way.
    if (device.readyState === 'ended') throw new MediaProblem('missing');
    this.store.setState({ [source]: { status: 'on', track, problem: null } });
    // Names of devices are told only now.
    void this.refresh();
    return track;
  }

  /** @throws MediaProblem where the camera cannot be blurred, or was closed, or is shown in another way, meanwhile. */
  async #shownOf(camera: MediaStreamTrack): Promise<MediaStreamTrack> {
    for (;;) {
      const { backgroundBlur } = this.store.getState();
      this.store.setState({ blurStarting: backgroundBlur });
      let failure: unknown;
      const shown = await this.#look.show(camera, backgroundBlur).catch((error: unknown) => {
        failure = error;
        return undefined;
      });
      if (shown === null) throw new MediaProblem('dismissed');
      this.store.setState({ blurStarting: false });
      // Wished otherwise meanwhile.
      if (this.store.getState().backgroundBlur !== backgroundBlur) continue;
      if (shown) return shown;
      this.#look.close();
      throw new MediaProblem('unblurred', failure);
    }
  }

  /** Shows a camera that is on as it is now wished. */
  async #showCamera(camera: MediaStreamTrack): Promise<void> {
    try {
      const track = await this.#shownOf(camera);
      this.store.setState({ camera: { status: 'on', track, problem: null } });
      this.#tell('camera', track);
    } catch (error) {
      // Otherwise whoever came in between has seen to it.
      if (error instanceof MediaProblem && error.kind === 'unblurred') this.#unblurred();
    }
  }

  /** Who asked for blur is rather not seen than seen with what is behind them. */
  #unblurred(): void {
    this.close('camera');
    this.store.setState({ camera: { status: 'failed', track: null, problem: 'unblurred' } });
    this.#tell('camera', null, 'unblurred');
  }

  async #reopen(source: DeviceSource): Promise<void> {
    const before = this.store.getState()[source];
    // One that failed may work with the other device.
    if (before.status !== 'on' && before.status !== 'failed') return;
    await this.#openAnew(source);
  }

  /** A device went away while it was used: the next one takes its place where there is one. */
  async #lost(source: DeviceSource, device: MediaStreamTrack): Promise<void> {
    const state = this.store.getState()[source];
    const used = source === 'camera' ? this.#look.camera : state.track;
    if (used !== device || state.status !== 'on' || this.#closed) return;
    await this.#openAnew(source);
  }

  async #openAnew(source: DeviceSource): Promise<void> {
    this.close(source);
    try {
      this.#tell(source, await this.open(source));
    } catch (error) {
      const kind = error instanceof MediaProblem ? error.kind : problemOf(error);
      // Whoever closed it meanwhile knows.
      if (kind !== 'dismissed') this.#tell(source, null, kind);
    }
  }

  #tell(source: DeviceSource, track: MediaStreamTrack | null, problem?: ProblemKind): void {
    for (const handler of this.#handlers) handler(source, track, problem);
  }
}
