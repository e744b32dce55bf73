import type { Participant } from '@nolo/api';
import { initialsOf } from '../../../ui/Avatar.tsx';
import { trackKey, type RoomState } from '@nolo/client/rooms/roomState';
import { arrangeStage } from '../model/meetingStage.ts';
import { fitInBox, cropToBox, placeTiles, type PlacedTile } from '../model/recordingLayout.ts';

/** Colors of the app's dark palette, because the stage is always dark. */
const colours = {
  stage: '#110f0e',
  tile: '#24211e',
  ink: '#f2efea',
  plate: 'rgb(17 15 14 / 0.72)',
  muted: '#ff9a92',
  speaking: '#1db584',
  avatar: '#14342a',
  avatarInk: '#45d6a6',
};
const font = "'Inter Variable', system-ui, 'Noto Sans Arabic', sans-serif";
const radius = 14;

export const pictureSize = { width: 1_280, height: 720 } as const;

export type FormatName = (person: Pick<Participant, 'name' | 'role'>) => string;

/** Returns the current layout of the recorded picture. */
function arrangeRecording(state: RoomState): PlacedTile[] {
  const view = { layout: 'grid', pinned: null, page: 0, floatSelf: false, portrait: false } as const;
  return placeTiles(arrangeStage(state, view), pictureSize.width, pictureSize.height);
}

/** Draws the stage as everyone sees it, with names, from its own video elements. */
export class StagePainter {
  readonly canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #nameOf: FormatName;
  readonly #videos = new Map<string, { track: MediaStreamTrack; video: HTMLVideoElement }>();

  constructor(nameOf: FormatName) {
    this.#nameOf = nameOf;
    this.canvas = document.createElement('canvas');
    this.canvas.width = pictureSize.width;
    this.canvas.height = pictureSize.height;
    const context = this.canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('This browser cannot draw on a canvas.');
    this.#context = context;
  }

  draw(state: RoomState): void {
    const context = this.#context;
    const placed = arrangeRecording(state);
    this.#playOnly(new Set(placed.map(({ tile }) => tile.key)), state);
    context.fillStyle = colours.stage;
    context.fillRect(0, 0, pictureSize.width, pictureSize.height);
    for (const one of placed) this.#drawTile(one, state);
  }

  close(): void {
    for (const { video } of this.#videos.values()) video.srcObject = null;
    this.#videos.clear();
  }

  #playOnly(keys: ReadonlySet<string>, { tracks }: RoomState): void {
    for (const [key, { track, video }] of this.#videos) {
      if (keys.has(key) && tracks[key] === track) continue;
      video.srcObject = null;
      this.#videos.delete(key);
    }
    for (const key of keys) {
      const track = tracks[key];
      if (!track || this.#videos.has(key)) continue;
      const video = document.createElement('video');
      video.muted = true;
      video.playsInline = true;
      video.srcObject = new MediaStream([track]);
      // Silent video may always play.
      video.play().catch(() => undefined);
      this.#videos.set(key, { track, video });
    }
  }

  #drawTile(placed: PlacedTile, state: RoomState): void {
    const context = this.#context;
    const { tile, x, y, width, height } = placed;
    const participant = state.participants[tile.participantId];
    if (!participant) return;
    const isScreen = tile.source === 'screen';
    const seen = isScreen || (tile.isSelf ? state.camera : participant.hasVideo);
    context.save();
    context.beginPath();
    context.roundRect(x, y, width, height, radius);
    context.clip();
    context.fillStyle = colours.tile;
    context.fillRect(x, y, width, height);
    const video = this.#videos.get(tile.key)?.video;
    const source = { width: video?.videoWidth ?? 0, height: video?.videoHeight ?? 0 };
    if (video && seen && state.paused[tile.key] !== true && source.width > 0) {
      if (isScreen) {
        const to = fitInBox(source, placed);
        context.drawImage(video, to.x, to.y, to.width, to.height);
      } else {
        const from = cropToBox(source, placed);
        context.drawImage(video, from.x, from.y, from.width, from.height, x, y, width, height);
      }
    } else {
      this.#drawInitials(participant.name, placed);
    }
    this.#drawName(this.#nameOf(participant), tile.isSelf ? !state.microphone : participant.isMuted, placed);
    context.restore();
    if (!isScreen && state.speakers.includes(tile.participantId)) {
      context.strokeStyle = colours.speaking;
      context.lineWidth = 4;
      context.beginPath();
      context.roundRect(x + 2, y + 2, width - 4, height - 4, radius - 2);
      context.stroke();
    }
  }

  #drawInitials(name: string, { x, y, width, height }: PlacedTile): void {
    const context = this.#context;
    const size = Math.min(width, height) * 0.36;
    context.fillStyle = colours.avatar;
    context.beginPath();
    context.arc(x + width / 2, y + height / 2, size / 2, 0, Math.PI * 2);
    context.fill();
    context.fillStyle = colours.avatarInk;
    context.font = `600 ${Math.round(size * 0.4)}px ${font}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(initialsOf(name), x + width / 2, y + height / 2);
  }

  #drawName(name: string, isMuted: boolean, { x, y, width, height }: PlacedTile): void {
    const context = this.#context;
    const size = Math.max(13, Math.min(20, height * 0.06));
    const padding = size * 0.6;
    context.font = `500 ${size}px ${font}`;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    const mutedIconWidth = isMuted ? size : 0;
    const text = this.#shortened(name, width - 4 * padding - mutedIconWidth);
    const plate = { width: context.measureText(text).width + 2 * padding + mutedIconWidth, height: size * 1.7 };
    const [left, top] = [x + padding, y + height - plate.height - padding];
    context.fillStyle = colours.plate;
    context.beginPath();
    context.roundRect(left, top, plate.width, plate.height, plate.height / 2);
    context.fill();
    const middle = top + plate.height / 2;
    if (isMuted) this.#drawMuted(left + padding, middle, size * 0.55);
    context.fillStyle = colours.ink;
    context.fillText(text, left + padding + mutedIconWidth, middle);
  }

  #drawMuted(x: number, y: number, size: number): void {
    const context = this.#context;
    context.strokeStyle = colours.muted;
    context.lineWidth = Math.max(1.5, size / 6);
    context.beginPath();
    context.roundRect(x + size * 0.28, y - size * 0.6, size * 0.44, size * 0.75, size * 0.22);
    context.moveTo(x + size * 0.5, y + size * 0.35);
    context.lineTo(x + size * 0.5, y + size * 0.6);
    context.moveTo(x, y - size * 0.6);
    context.lineTo(x + size, y + size * 0.6);
    context.stroke();
  }

  #shortened(text: string, width: number): string {
    const context = this.#context;
    if (context.measureText(text).width <= width) return text;
    const letters = [...text];
    while (letters.length > 1 && context.measureText(`${letters.join('')}…`).width > width) letters.pop();
    return `${letters.join('')}…`;
  }
}

/** Returns the videos that this picture needs, at the size at which they are drawn. */
export function selectNeededVideos(
  state: RoomState,
): { key: string; participantId: string; source: 'camera' | 'screen'; height: number }[] {
  return arrangeRecording(state)
    .filter(({ tile }) => !tile.isSelf)
    .map(({ tile: { participantId, source }, height }) => ({
      key: trackKey(participantId, source),
      participantId,
      source,
      height,
    }));
}
