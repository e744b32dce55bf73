import type { Participant } from '@nolo/api';
import type { MediaSource } from '@nolo/rules';
import { withTrack } from './roomChanges.ts';
import { trackKey, type RoomStore } from './roomState.ts';
import { SocketError } from '../socket/socketRequests.ts';
import type { MediaNodeConnection } from './MediaNodeConnection.ts';
import {
  MediaProblem,
  type SendRequest,
  type DeviceSource,
  type MediaTrack,
  type OwnDevices,
  type MediaProblemKind,
} from './ports.ts';

/** `microphone` and `camera`: could not be opened. `audio` and `video`: could not be sent. */
export type RoomMediaProblem = 'microphone' | 'camera' | 'screen' | 'screenRefused' | 'audio' | 'video';

export interface OwnMediaControlsOptions {
  store: RoomStore;
  own: OwnDevices;
  request: SendRequest;
  plane(): MediaNodeConnection | undefined;
  /** `kind` is the reason why a device could not be opened. */
  onProblem(problem: RoomMediaProblem, kind?: MediaProblemKind): void;
}

export function errorCodeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'failed';
}

/** Manages the user's microphone, camera, and screen: their switches here, and their state on the server. */
export class OwnMediaControls {
  readonly #options: OwnMediaControlsOptions;
  readonly #store: RoomStore;
  /** State known to the server. If the server reports another state, a host changed it. */
  #serverState = { microphone: false, camera: false };
  readonly #queues = new Map<string, Promise<void>>();
  #screen: MediaTrack[] = [];
  #closed = false;

  constructor(options: OwnMediaControlsOptions) {
    this.#options = options;
    this.#store = options.store;
  }

  /** Called when the user joins. */
  begin(joinOptions: { microphone: boolean; camera: boolean }): void {
    this.#serverState = { ...joinOptions };
    this.#store.setState(joinOptions);
  }

  /**
   * Applies the server's response to joining: sources that a host switched off stay off, and the others stay as here.
   */
  adopt({ isMuted, hasVideo }: Participant): void {
    const server = { microphone: !isMuted, camera: hasVideo };
    for (const source of ['microphone', 'camera'] as const) {
      if (this.#serverState[source] && !server[source] && this.#store.getState()[source])
        void this.set(source, false, false);
      this.#serverState[source] = server[source];
    }
  }

  /** Reports switches made while disconnected. */
  sendDifferences(): void {
    for (const source of ['microphone', 'camera'] as const) void this.#inTurn(source, () => this.#sendSwitch(source));
    if (this.#store.getState().sharing) {
      void this.#options.request('meeting_screenshare_toggle', { enabled: true }).catch(() => undefined);
    }
  }

  set(source: DeviceSource, on: boolean, notifyServer = true): Promise<void> {
    // Shown immediately, and reverted on failure.
    this.#show(source, on);
    return this.#inTurn(source, async () => {
      // Switched again while waiting: the last choice applies.
      if (this.#store.getState()[source] !== on) return;
      await (on ? this.#switchOn(source) : this.#switchOff(source));
      if (notifyServer) await this.#sendSwitch(source);
      else this.#serverState[source] = on;
    });
  }

  share(on: boolean): Promise<void> {
    return this.#inTurn('screen', () => (on ? this.#beginSharing() : this.#endSharing()));
  }

  /** Called when another device was chosen, or the current one disappeared or must not be shown. */
  deviceChanged(source: DeviceSource, track: MediaTrack | null, problem: MediaProblemKind = 'missing'): void {
    if (!this.#store.getState()[source]) return;
    if (!track) {
      this.#options.onProblem(source, problem);
      void this.set(source, false);
      return;
    }
    if (source === 'camera') this.#showOwn('camera', track);
    void this.#options
      .plane()
      ?.send(source, track)
      .catch(() => this.#options.onProblem(source === 'camera' ? 'video' : 'audio'));
  }

  /**
   * Called when sending was finally rejected. Switches the source off and notifies the user, because others neither see
   * nor hear it.
   */
  unsent(source: MediaSource): void {
    if (source === 'screen_audio') return;
    if (source === 'screen') {
      this.#options.onProblem('screen');
      void this.share(false);
      return;
    }
    this.#options.onProblem(source === 'microphone' ? 'audio' : 'video');
    void this.set(source, false);
  }

  close(): void {
    this.#closed = true;
    for (const track of this.#screen) track.stop();
  }

  #inTurn(key: string, task: () => Promise<void>): Promise<void> {
    const turn = (this.#queues.get(key) ?? Promise.resolve()).then(() => (this.#closed ? undefined : task()));
    this.#queues.set(
      key,
      turn.catch(() => undefined),
    );
    return turn;
  }

  async #sendSwitch(source: DeviceSource): Promise<void> {
    const enabled = this.#store.getState()[source];
    if (this.#serverState[source] === enabled) return;
    try {
      await this.#options.request(source === 'microphone' ? 'meeting_audio_toggle' : 'meeting_video_toggle', {
        enabled,
      });
      this.#serverState[source] = enabled;
    } catch {
      // Rejoining reports the difference.
    }
  }

  async #switchOn(source: DeviceSource): Promise<void> {
    try {
      const track = await this.#options.own.open(source);
      if (source === 'camera') this.#showOwn('camera', track);
      await this.#options.plane()?.send(source, track);
    } catch (error) {
      // A lost connection is repaired by rejoining, which sends the track again.
      if (error instanceof SocketError && error.isConnectionFailure) return;
      this.#show(source, false);
      if (source === 'camera') this.#showOwn('camera', null);
      // Closed before it had opened: no notification needed.
      if (error instanceof MediaProblem && error.kind === 'dismissed') return;
      // The switch is off, so a later repair must not open the device.
      this.#options.own.close(source);
      if (error instanceof MediaProblem) this.#options.onProblem(source, error.kind);
      else this.#options.onProblem(source === 'microphone' ? 'audio' : 'video');
    }
  }

  async #switchOff(source: DeviceSource): Promise<void> {
    // The microphone stays open for a quick return. The camera closes, so that its light goes out.
    await this.#options.plane()?.pause(source, source === 'microphone');
    if (source !== 'camera') return;
    this.#showOwn('camera', null);
    this.#options.own.close('camera');
  }

  async #beginSharing(): Promise<void> {
    const plane = this.#options.plane();
    if (this.#store.getState().sharing || !plane) return;
    let shared: Awaited<ReturnType<OwnDevices['shareScreen']>>;
    try {
      shared = await this.#options.own.shareScreen();
    } catch (error) {
      // Closing the browser's prompt is an answer.
      if (!(error instanceof MediaProblem && error.kind === 'dismissed')) this.#options.onProblem('screen');
      return;
    }
    const { video, audio } = shared;
    this.#screen = audio ? [video, audio] : [video];
    // The browser's own button also ends sharing.
    video.addEventListener('ended', () => void this.share(false));
    try {
      await this.#options.request('meeting_screenshare_toggle', { enabled: true });
      this.#store.setState({ sharing: true });
      this.#showOwn('screen', video);
      this.#showOwn('screen_audio', audio);
      await Promise.all([plane.send('screen', video), audio && plane.send('screen_audio', audio)]);
    } catch (error) {
      if (error instanceof SocketError && error.isConnectionFailure && this.#store.getState().sharing) return;
      this.#stopScreen();
      this.#options.onProblem(errorCodeOf(error) === 'screen_share_refused' ? 'screenRefused' : 'screen');
    }
  }

  async #endSharing(): Promise<void> {
    if (!this.#store.getState().sharing) return;
    this.#stopScreen();
    const { plane, request } = this.#options;
    await Promise.allSettled([
      plane()?.stop('screen'),
      plane()?.stop('screen_audio'),
      request('meeting_screenshare_toggle', { enabled: false }),
    ]);
  }

  #stopScreen(): void {
    for (const track of this.#screen) track.stop();
    this.#screen = [];
    this.#store.setState({ sharing: false });
    this.#showOwn('screen', null);
    this.#showOwn('screen_audio', null);
  }

  #show(source: DeviceSource, on: boolean): void {
    const { participants, selfId } = this.#store.getState();
    const self = participants[selfId ?? ''];
    const change = source === 'microphone' ? { isMuted: !on } : { hasVideo: on };
    this.#store.setState({
      [source]: on,
      ...(self && { participants: { ...participants, [self.id]: { ...self, ...change } } }),
    });
  }

  #showOwn(source: 'camera' | 'screen' | 'screen_audio', track: MediaTrack | null): void {
    const state = this.#store.getState();
    if (state.selfId !== null) this.#store.setState(withTrack(state, trackKey(state.selfId, source), track));
  }
}
