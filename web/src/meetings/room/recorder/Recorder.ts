import { trackKey, type RoomState, type RoomStore } from '../model/meetingRoom.ts';
import type { TileView } from '../media/tileView.ts';
import { SinkFull, type RecordingSink } from './recordingSink.ts';
import { SoundMix, tickBySound } from './SoundMix.ts';
import { neededVideos, pictureSize, StagePicture, type NameOf } from './StagePicture.ts';

export interface RecorderParts {
  type: string;
  store: RoomStore;
  /** One's own microphone, which is sent and therefore not among what the room plays. */
  microphone: () => MediaStreamTrack | null;
  view: TileView;
  sink: RecordingSink;
  /** The name that stands in the picture. */
  nameOf: NameOf;
  onProblem: (problem: 'full' | 'failed') => void;
}

const picturesPerSecond = 20;
/** Pieces are small enough to be forgotten soon, and large enough to be few. */
const pieceMs = 2_000;
const bitsPerSecond = { video: 2_500_000, audio: 128_000 };
/** Above what is seen in a strip, below what somebody has pinned. */
const viewPriority = 60;

/** What Chromium has for pictures that are made; other browsers take them from the canvas itself. */
interface TrackGenerator extends MediaStreamTrack {
  readonly writable: WritableStream<VideoFrame>;
}
type TrackGeneratorClass = new (options: { kind: 'video' }) => TrackGenerator;

/** A track of what is drawn on a canvas; `drawn` says that there is something new. */
function trackOf(canvas: HTMLCanvasElement): { track: MediaStreamTrack; drawn: () => void } {
  const Generator = (globalThis as { MediaStreamTrackGenerator?: TrackGeneratorClass }).MediaStreamTrackGenerator;
  if (Generator) {
    // A canvas's own stream stands still while the page is hidden; this one does not.
    const track = new Generator({ kind: 'video' });
    const writer = track.writable.getWriter();
    writer.closed.catch(() => undefined);
    return {
      track,
      drawn() {
        // A recorder that cannot keep up misses a picture rather than gathering them.
        if ((writer.desiredSize ?? 0) <= 0) return;
        const frame = new VideoFrame(canvas, { timestamp: Math.round(performance.now() * 1_000) });
        writer.write(frame).catch(() => frame.close());
      },
    };
  }
  const [track] = canvas.captureStream(picturesPerSecond).getVideoTracks();
  if (!track) throw new Error('This browser records no pictures.');
  return { track, drawn: () => {} };
}

/** Records the stage and all voices as they are in this browser, until it is stopped. */
export class Recorder {
  readonly #parts: RecorderParts;
  readonly #context: AudioContext;
  readonly #sound: SoundMix;
  readonly #picture: StagePicture;
  readonly #recorder: MediaRecorder;
  readonly #tracks: MediaStreamTrack[];
  readonly #stopTicking: () => void;
  #viewed = new Set<string>();
  #lastPiece: Promise<void> = Promise.resolve();
  #ended: Promise<Blob | null> | undefined;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#context = new AudioContext();
    this.#sound = new SoundMix(this.#context);
    this.#picture = new StagePicture(parts.nameOf);
    const { track, drawn } = trackOf(this.#picture.canvas);
    this.#tracks = [track, this.#sound.track];
    this.#recorder = new MediaRecorder(new MediaStream(this.#tracks), {
      mimeType: parts.type,
      videoBitsPerSecond: bitsPerSecond.video,
      audioBitsPerSecond: bitsPerSecond.audio,
    });
    this.#recorder.addEventListener('dataavailable', ({ data }) => this.#keep(data));
    this.#recorder.addEventListener('error', () => parts.onProblem('failed'));
    // A browser may also end it without an error.
    this.#recorder.addEventListener('stop', () => {
      if (!this.#ended) parts.onProblem('failed');
    });
    const draw = () => {
      const state = parts.store.getState();
      this.#picture.draw(state);
      drawn();
      this.#hear(state);
      this.#look(state);
    };
    draw();
    this.#stopTicking = tickBySound(this.#context, picturesPerSecond, draw);
    // Pressed for just now, so the browser lets it run.
    void this.#context.resume();
    this.#recorder.start(pieceMs);
  }

  get bytes(): number {
    return this.#parts.sink.bytes;
  }

  /** Ends it; answers the whole file where it is not on the disk. */
  stop(): Promise<Blob | null> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<Blob | null> {
    const { view, sink } = this.#parts;
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
    // What did not fit has been said; the rest is a file all the same.
    await this.#lastPiece.catch(() => undefined);
    return sink.finish();
  }

  #keep(piece: Blob): void {
    if (piece.size === 0) return;
    this.#lastPiece = this.#parts.sink.write(piece);
    this.#lastPiece.catch((error: unknown) => this.#parts.onProblem(error instanceof SinkFull ? 'full' : 'failed'));
  }

  #hear({ tracks, selfId, microphone }: RoomState): void {
    const heard = new Map<string, MediaStreamTrack>();
    for (const [key, track] of Object.entries(tracks)) if (track.kind === 'audio') heard.set(key, track);
    const own = this.#parts.microphone();
    // A microphone that is muted stays open for a quick return, and must not be in the recording.
    if (own && microphone) heard.set(trackKey(selfId ?? '', 'microphone'), own);
    this.#sound.hear(heard);
  }

  /** The videos in the picture come over the line also while nobody looks at the page. */
  #look(state: RoomState): void {
    const needed = neededVideos(state);
    const keys = new Set(needed.map(({ key }) => `recording ${key}`));
    for (const key of this.#viewed) if (!keys.has(key)) this.#parts.view.show(key, undefined);
    for (const { key, participantId, source, height } of needed) {
      if (this.#viewed.has(`recording ${key}`)) continue;
      this.#parts.view.show(`recording ${key}`, {
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
