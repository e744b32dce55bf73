import { createStore } from 'zustand/vanilla';
import { loadBlurCamera, type BlurCamera } from './cameraEffect.ts';
import { CameraPipeline } from './CameraPipeline.ts';
import {
  readChosenDevice,
  rememberBackgroundBlur,
  rememberDevice,
  rememberNoiseSuppression,
  remembersBackgroundBlur,
  remembersNoiseSuppression,
} from '../../../device/deviceChoice.ts';
import type { DeviceKind } from '../../../device/deviceChoice.ts';
import {
  MediaProblem,
  type DeviceSource,
  type OwnDevices,
  type MediaProblemKind,
  type TrackHandler,
} from '@nolo/client/rooms/ports';

export interface DeviceEntry {
  id: string;
  /** Empty until the browser may reveal it. */
  label: string;
}

export interface SourceState {
  status: 'off' | 'requesting' | 'on' | 'failed';
  track: MediaStreamTrack | null;
  problem: MediaProblemKind | null;
}

export interface LocalDevicesState {
  microphone: SourceState;
  camera: SourceState;
  devices: Readonly<Record<DeviceKind, readonly DeviceEntry[]>>;
  chosen: Readonly<Record<DeviceKind, string | null>>;
  noiseSuppression: boolean;
  /** User's choice of blur. Only the user can revoke it: until then, the camera is never shown without blur. */
  backgroundBlur: boolean;
  /** True while blur is loading. */
  blurStarting: boolean;
  /** True if this machine is too slow for blur, until the user changes the setting. */
  blurSlow: boolean;
}

const off: SourceState = { status: 'off', track: null, problem: null };

const kinds: Readonly<Record<MediaDeviceKind, DeviceKind>> = {
  audioinput: 'microphone',
  videoinput: 'camera',
  audiooutput: 'speaker',
};

/** Converts a browser error to a problem kind for display. */
export function toMediaProblemKind(error: unknown): MediaProblemKind {
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

/** Manages the microphones, cameras, and speakers of this device, and the open tracks. */
export class LocalDevices implements OwnDevices {
  readonly store = createStore<LocalDevicesState>(() => ({
    microphone: off,
    camera: off,
    devices: { microphone: [], camera: [], speaker: [] },
    chosen: {
      microphone: readChosenDevice(localStorage, 'microphone'),
      camera: readChosenDevice(localStorage, 'camera'),
      speaker: readChosenDevice(localStorage, 'speaker'),
    },
    noiseSuppression: remembersNoiseSuppression(localStorage),
    backgroundBlur: remembersBackgroundBlur(localStorage),
    blurStarting: false,
    blurSlow: false,
  }));
  readonly #handlers = new Set<TrackHandler>();
  readonly #opening = new Map<DeviceSource, Promise<MediaStreamTrack>>();
  readonly #refresh = () => void this.refresh();
  readonly #cameraPipeline: CameraPipeline;
  /** Number of times each source was closed, so that a pending open can detect that it is obsolete. */
  readonly #closings = { microphone: 0, camera: 0 };
  #closed = false;

  constructor(loadBlur: () => Promise<BlurCamera | null> = loadBlurCamera) {
    this.#cameraPipeline = new CameraPipeline(loadBlur, (problem) => {
      if (problem === 'slow') this.store.setState({ blurSlow: true });
      else this.#unblurred();
    });
    // Insecure pages have no devices.
    navigator.mediaDevices?.addEventListener('devicechange', this.#refresh);
    this.#refresh();
  }

  open(source: DeviceSource): Promise<MediaStreamTrack> {
    const { status, track } = this.store.getState()[source];
    if (status === 'on' && track?.readyState === 'live') return Promise.resolve(track);
    return this.#opening.get(source) ?? this.#beOpening(source, this.#open(source));
  }

  /** Opens both with a single prompt. If that fails, opens one after the other to find out which failed. */
  async openBoth(): Promise<void> {
    const askingState: SourceState = { status: 'requesting', track: null, problem: null };
    const { chosen, noiseSuppression } = this.store.getState();
    this.store.setState({ microphone: askingState, camera: askingState });
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
    // Concurrent requests for either get this one.
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
      this.#cameraPipeline.close();
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
      // Shared screens are mostly text: prefer sharpness to smoothness.
      video.contentHint = 'detail';
      return { video, audio: stream.getAudioTracks()[0] ?? null };
    } catch (error) {
      if (error instanceof MediaProblem) throw error;
      const kind = toMediaProblemKind(error);
      throw new MediaProblem(kind === 'denied' ? 'dismissed' : kind, error);
    }
  }

  /** Switches to another device. An open source continues with it. */
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

  /** Applies immediately: the picture is dark until the blur effect has loaded. */
  async setBackgroundBlur(on: boolean): Promise<void> {
    rememberBackgroundBlur(localStorage, on);
    this.store.setState({ backgroundBlur: on, blurSlow: false });
    const { camera } = this.#cameraPipeline;
    // A camera that is opening applies the new choice when it is ready.
    if (camera === null || this.store.getState().camera.status !== 'on') return;
    await this.#showCamera(camera);
  }

  /** Reloads the browser's device list. Devices in use report their own disappearance. */
  async refresh(): Promise<void> {
    const found = (await navigator.mediaDevices?.enumerateDevices().catch(() => [])) ?? [];
    const devices: Record<DeviceKind, DeviceEntry[]> = { microphone: [], camera: [], speaker: [] };
    for (const { kind, deviceId, label } of found) {
      // Each kind has one unnamed entry until permission is granted, which shows that it exists.
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
    this.store.setState({ [source]: { status: 'requesting', track: null, problem: null } });
    try {
      if (!navigator.mediaDevices) throw new MediaProblem('missing');
      const stream = await navigator.mediaDevices.getUserMedia(
        constraintsFor(source, chosen[source], noiseSuppression),
      );
      const [track] = stream.getTracks();
      if (!track) throw new MediaProblem('missing');
      return await this.#take(source, track, closings);
    } catch (error) {
      throw error instanceof MediaProblem ? error : new MediaProblem(toMediaProblemKind(error), error);
    }
  }

  async #beOpening(source: DeviceSource, opened: Promise<MediaStreamTrack>): Promise<MediaStreamTrack> {
    this.#opening.set(source, opened);
    try {
      return await opened;
    } catch (error) {
      const problem = error instanceof MediaProblem ? error.kind : toMediaProblemKind(error);
      // A source closed while opening has not failed, and may be opening again.
      if (problem !== 'dismissed') this.store.setState({ [source]: { status: 'failed', track: null, problem } });
      throw error;
    } finally {
      if (this.#opening.get(source) === opened) this.#opening.delete(source);
    }
  }

  /** Returns the displayed track, which may differ from a camera's own. */
  async #take(source: DeviceSource, device: MediaStreamTrack, closings: number): Promise<MediaStreamTrack> {
    if (this.#closed || closings !== this.#closings[source]) {
      device.stop();
      throw new MediaProblem('dismissed');
    }
    if (source === 'microphone') device.contentHint = 'speech';
    device.addEventListener('ended', () => void this.#lost(source, device));
    const track = source === 'camera' ? await this.#shownOf(device) : device;
    // The camera disappeared while blur was loading.
    if (device.readyState === 'ended') throw new MediaProblem('missing');
    this.store.setState({ [source]: { status: 'on', track, problem: null } });
    // Device names are only available now.
    void this.refresh();
    return track;
  }

  /** @throws MediaProblem if the camera cannot be blurred, or was closed or shown differently meanwhile */
  async #shownOf(camera: MediaStreamTrack): Promise<MediaStreamTrack> {
    for (;;) {
      const { backgroundBlur } = this.store.getState();
      this.store.setState({ blurStarting: backgroundBlur });
      let failure: unknown;
      const shown = await this.#cameraPipeline.show(camera, backgroundBlur).catch((error: unknown) => {
        failure = error;
        return undefined;
      });
      if (shown === null) throw new MediaProblem('dismissed');
      this.store.setState({ blurStarting: false });
      // The choice changed meanwhile.
      if (this.store.getState().backgroundBlur !== backgroundBlur) continue;
      if (shown) return shown;
      this.#cameraPipeline.close();
      throw new MediaProblem('unblurred', failure);
    }
  }

  /** Shows an open camera according to the current choice. */
  async #showCamera(camera: MediaStreamTrack): Promise<void> {
    try {
      const track = await this.#shownOf(camera);
      this.store.setState({ camera: { status: 'on', track, problem: null } });
      this.#notifyHandlers('camera', track);
    } catch (error) {
      // If closed or changed meanwhile, a more recent call handles it.
      if (error instanceof MediaProblem && error.kind === 'unblurred') this.#unblurred();
    }
  }

  /** Closes the camera. Users who chose blur must not be shown with their background. */
  #unblurred(): void {
    this.close('camera');
    this.store.setState({ camera: { status: 'failed', track: null, problem: 'unblurred' } });
    this.#notifyHandlers('camera', null, 'unblurred');
  }

  async #reopen(source: DeviceSource): Promise<void> {
    const before = this.store.getState()[source];
    // A failed source may work with the other device.
    if (before.status !== 'on' && before.status !== 'failed') return;
    await this.#openAnew(source);
  }

  /** Handles a device that disappeared while in use: switches to the next one, if any. */
  async #lost(source: DeviceSource, device: MediaStreamTrack): Promise<void> {
    const state = this.store.getState()[source];
    const used = source === 'camera' ? this.#cameraPipeline.camera : state.track;
    if (used !== device || state.status !== 'on' || this.#closed) return;
    await this.#openAnew(source);
  }

  async #openAnew(source: DeviceSource): Promise<void> {
    this.close(source);
    try {
      this.#notifyHandlers(source, await this.open(source));
    } catch (error) {
      const kind = error instanceof MediaProblem ? error.kind : toMediaProblemKind(error);
      // The caller that closed it meanwhile already knows.
      if (kind !== 'dismissed') this.#notifyHandlers(source, null, kind);
    }
  }

  #notifyHandlers(source: DeviceSource, track: MediaStreamTrack | null, problem?: MediaProblemKind): void {
    for (const handler of this.#handlers) handler(source, track, problem);
  }
}
