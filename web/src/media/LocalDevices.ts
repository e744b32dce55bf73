import { createStore } from 'zustand/vanilla';
import { chosenDevice, rememberDevice, rememberNoiseSuppression, remembersNoiseSuppression } from './deviceChoice.ts';
import type { DeviceKind } from './deviceChoice.ts';
import { MediaProblem, type DeviceSource, type OwnDevices, type ProblemKind } from './ports.ts';

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
  }));
  readonly #handlers = new Set<(source: DeviceSource, track: MediaStreamTrack | null) => void>();
  readonly #opening = new Map<DeviceSource, Promise<MediaStreamTrack>>();
  readonly #refresh = () => void this.refresh();
  #closed = false;

  constructor() {
    // Without a secure page there are no devices at all.
    navigator.mediaDevices?.addEventListener('devicechange', this.#refresh);
    this.#refresh();
  }

  open(source: DeviceSource): Promise<MediaStreamTrack> {
    const { status, track } = this.store.getState()[source];
    if (status === 'on' && track?.readyState === 'live') return Promise.resolve(track);
    const opening = this.#opening.get(source) ?? this.#open(source).finally(() => this.#opening.delete(source));
    this.#opening.set(source, opening);
    return opening;
  }

  /** Both with one question; where that fails, one after the other tells which of them it was. */
  async openBoth(): Promise<void> {
    const asking: SourceState = { status: 'asking', track: null, problem: null };
    const { chosen, noiseSuppression } = this.store.getState();
    this.store.setState({ microphone: asking, camera: asking });
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        ...constraintsFor('microphone', chosen.microphone, noiseSuppression),
        ...constraintsFor('camera', chosen.camera, noiseSuppression),
      });
      const [microphone] = stream.getAudioTracks();
      const [camera] = stream.getVideoTracks();
      if (microphone) this.#take('microphone', microphone);
      if (camera) this.#take('camera', camera);
    } catch {
      await Promise.allSettled([this.open('microphone'), this.open('camera')]);
    }
  }

  close(source: DeviceSource): void {
    this.store.getState()[source].track?.stop();
    this.store.setState({ [source]: off });
  }

  onTrack(handler: (source: DeviceSource, track: MediaStreamTrack | null) => void): () => void {
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
    this.store.setState({ [source]: { status: 'asking', track: null, problem: null } });
    try {
      if (!navigator.mediaDevices) throw new MediaProblem('missing');
      const stream = await navigator.mediaDevices.getUserMedia(
        constraintsFor(source, chosen[source], noiseSuppression),
      );
      const [track] = stream.getTracks();
      if (!track) throw new MediaProblem('missing');
      this.#take(source, track);
      if (this.#closed) throw new MediaProblem('dismissed');
      return track;
    } catch (error) {
      const problem = error instanceof MediaProblem ? error.kind : problemOf(error);
      this.store.setState({ [source]: { status: 'failed', track: null, problem } });
      throw error instanceof MediaProblem ? error : new MediaProblem(problem, error);
    }
  }

  #take(source: DeviceSource, track: MediaStreamTrack): void {
    if (this.#closed) {
      track.stop();
      return;
    }
    if (source === 'microphone') track.contentHint = 'speech';
    track.addEventListener('ended', () => void this.#lost(source, track));
    this.store.setState({ [source]: { status: 'on', track, problem: null } });
    // Names of devices are told only now.
    void this.refresh();
  }

  async #reopen(source: DeviceSource): Promise<void> {
    const before = this.store.getState()[source];
    // One that failed may work with the other device.
    if (before.status !== 'on' && before.status !== 'failed') return;
    before.track?.stop();
    this.store.setState({ [source]: off });
    try {
      this.#tell(source, await this.open(source));
    } catch {
      this.#tell(source, null);
    }
  }

  /** A device went away while it was used: the next one takes its place where there is one. */
  async #lost(source: DeviceSource, track: MediaStreamTrack): Promise<void> {
    if (this.store.getState()[source].track !== track || this.#closed) return;
    this.store.setState({ [source]: off });
    try {
      this.#tell(source, await this.open(source));
    } catch {
      this.#tell(source, null);
    }
  }

  #tell(source: DeviceSource, track: MediaStreamTrack | null): void {
    for (const handler of this.#handlers) handler(source, track);
  }
}
