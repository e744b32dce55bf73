import { trackKey, type RoomState, type RoomStore } from '@nolo/client/rooms/roomState';
import type { TileVisibilityReporter } from '@nolo/client/rooms/tileVisibilityReporter';
import { RecordingSinkFullError, type RecordingSink } from './recordingSink.ts';
import { SoundMix, tickByAudioClock } from './SoundMix.ts';
import { selectNeededVideos, pictureSize, StagePainter, type FormatName } from './StagePainter.ts';

export interface RecorderOptions {
  type: string;
  store: RoomStore;
  /** Returns the user's own microphone, which is sent and therefore not part of the room's playback. */
  microphone: () => MediaStreamTrack | null;
  view: TileVisibilityReporter;
  sink: RecordingSink;
  /** Returns the name in the picture. */
  nameOf: FormatName;
  onProblem: (problem: 'full' | 'failed') => void;
}

const picturesPerSecond = 20;
/** Milliseconds per chunk: short enough to free memory soon, and long enough to limit their number. */
const pieceMs = 2_000;
const bitsPerSecond = { video: 2_500_000, audio: 128_000 };
/** Priority above strip tiles and below pinned ones. */
const viewPriority = 60;

/** Chromium's track for generated pictures. Other browsers capture the canvas. */
interface TrackGenerator extends MediaStreamTrack {
  readonly writable: WritableStream<VideoFrame>;
}
type TrackGeneratorClass = new (options: { kind: 'video' }) => TrackGenerator;

/** Creates a track of a canvas. Call `drawn` after each new picture. */
function trackOf(canvas: HTMLCanvasElement): { track: MediaStreamTrack; drawn: () => void } {
  const Generator = (globalThis as { MediaStreamTrackGenerator?: TrackGeneratorClass }).MediaStreamTrackGenerator;
  if (Generator) {
    // A canvas's own stream pauses while the page is hidden, but this one does not.
    const track = new Generator({ kind: 'video' });
    const writer = track.writable.getWriter();
    writer.closed.catch(() => undefined);
    return {
      track,
      drawn() {
        // A recorder that cannot keep up skips pictures rather than queueing them.
        if ((writer.desiredSize ?? 0) <= 0) return;
        const frame = new VideoFrame(canvas, { timestamp: Math.round(performance.now() * 1_000) });
        writer.write(frame).catch(() => frame.close());
      },
    };
  }
  const [track] = canvas.captureStream(picturesPerSecond).getVideoTracks();
  if (!track) throw new Error('This browser cannot record video.');
  return { track, drawn: () => {} };
}

/** Records the stage and all voices as shown in this browser, until stopped. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #context: AudioContext;
  readonly #sound: SoundMix;
  readonly #picture: StagePainter;
  readonly #recorder: MediaRecorder;
  readonly #tracks: MediaStreamTrack[];
  readonly #stopTicking: () => void;
  #viewed = new Set<string>();
  #lastPiece: Promise<void> = Promise.resolve();
  #ended: Promise<Blob | null> | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#context = new AudioContext();
    this.#sound = new SoundMix(this.#context);
    this.#picture = new StagePainter(options.nameOf);
    const { track, drawn } = trackOf(this.#picture.canvas);
    this.#tracks = [track, this.#sound.track];
    this.#recorder = new MediaRecorder(new MediaStream(this.#tracks), {
      mimeType: options.type,
      videoBitsPerSecond: bitsPerSecond.video,
      audioBitsPerSecond: bitsPerSecond.audio,
    });
    this.#recorder.addEventListener('dataavailable', ({ data }) => this.#keep(data));
    this.#recorder.addEventListener('error', () => options.onProblem('failed'));
    // A browser may also end it without an error.
    this.#recorder.addEventListener('stop', () => {
      if (!this.#ended) options.onProblem('failed');
    });
    const draw = () => {
      const state = options.store.getState();
      this.#picture.draw(state);
      drawn();
      this.#updateSoundTracks(state);
      this.#showNeededVideos(state);
    };
    draw();
    this.#stopTicking = tickByAudioClock(this.#context, picturesPerSecond, draw);
    // The user has just pressed a button, so the browser lets it run.
    void this.#context.resume();
    this.#recorder.start(pieceMs);
  }

  get bytes(): number {
    return this.#options.sink.bytes;
  }

  /** Ends the recording. Resolves to the whole file if it is not on disk. */
  stop(): Promise<Blob | null> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<Blob | null> {
    const { view, sink } = this.#options;
    if (this.#recorder.state !== 'inactive') {
      await new Promise<void>((resolve) => {
        this.#recorder.addEventListener('stop', () => resolve(), { once: true });
        this.#recorder.stop();
      });
    }
    this.#stopTicking();
    for (const key of this.#viewed) view.show(key, undefined);
    this.#picture.close();
    this.#sound.close();
    for (const track of this.#tracks) track.stop();
    await this.#context.close().catch(() => undefined);
    // Anything that did not fit was reported already, and the rest is still a file.
    await this.#lastPiece.catch(() => undefined);
    return sink.finish();
  }

  #keep(piece: Blob): void {
    if (piece.size === 0) return;
    this.#lastPiece = this.#options.sink.write(piece);
    this.#lastPiece.catch((error: unknown) =>
      this.#options.onProblem(error instanceof RecordingSinkFullError ? 'full' : 'failed'),
    );
  }

  #updateSoundTracks({ tracks, selfId, microphone }: RoomState): void {
    const audibleTracks = new Map<string, MediaStreamTrack>();
    for (const [key, track] of Object.entries(tracks)) if (track.kind === 'audio') audibleTracks.set(key, track);
    const own = this.#options.microphone();
    // A muted microphone stays open for a quick return, but must not be recorded.
    if (own && microphone) audibleTracks.set(trackKey(selfId ?? '', 'microphone'), own);
    this.#sound.setTracks(audibleTracks);
  }

  /** Requests the recorded videos even while the page is hidden. */
  #showNeededVideos(state: RoomState): void {
    const needed = selectNeededVideos(state);
    const keys = new Set(needed.map(({ key }) => `recording ${key}`));
    for (const key of this.#viewed) if (!keys.has(key)) this.#options.view.show(key, undefined);
    for (const { key, participantId, source, height } of needed) {
      if (this.#viewed.has(`recording ${key}`)) continue;
      this.#options.view.show(`recording ${key}`, {
        participantId,
        source,
        height: Math.min(height, pictureSize.height),
        priority: viewPriority,
        always: true,
      });
    }
    this.#viewed = keys;
  }
}
