import type { MediaQuality } from '@nolo/api';
import type { Timers } from '@nolo/client/ports';
import type { RoomClient } from '@nolo/client/rooms/RoomClient';
import { sampleBetween, sampleEveryMs, totalsOf, type MediaTotals, type QualitySample } from '../model/callQuality.ts';
import type { DirectCall } from './DirectCall.ts';

interface CallQualitySamplerOptions {
  timers: Timers;
  /** Returns true if the server is reachable. */
  isOpen: () => boolean;
  /** Returns the path that the call takes at present. */
  way: () => { direct: DirectCall | null; room: RoomClient | null };
  onSample: (sample: QualitySample) => void;
}

/** Samples every few seconds how the media of a call travel, until it is closed. */
export class CallQualitySampler {
  readonly #options: CallQualitySamplerOptions;
  #totals: MediaTotals | null = null;
  #cancel: (() => void) | null = null;
  #closed = false;

  constructor(options: CallQualitySamplerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancel = this.#options.timers.after(sampleEveryMs, () => void this.#takeSample());
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
  }

  async #takeSample(): Promise<void> {
    const { direct, room } = this.#options.way();
    const sample = await (room ? this.#askServer(room) : this.#askBrowser(direct)).catch(() => null);
    if (this.#closed) return;
    if (sample) this.#options.onSample(sample);
    this.start();
  }

  async #askBrowser(direct: DirectCall | null): Promise<QualitySample | null> {
    if (direct?.state !== 'connected') return null;
    const totals = totalsOf(await direct.stats(), this.#options.timers.now());
    const before = this.#totals;
    this.#totals = totals;
    return before && sampleBetween(before, totals);
  }

  async #askServer(room: RoomClient): Promise<QualitySample | null> {
    if (!room.plane || !this.#options.isOpen()) return null;
    const measured = (await room.request('sfu_connection_update', {
      state: room.plane.state,
    })) as unknown as MediaQuality;
    return {
      at: this.#options.timers.now(),
      loss: Math.max(measured.sendLoss, measured.receiveLoss),
      roundTripMs: measured.roundTripMs,
      sendBitrate: measured.sendBitrate,
      receiveBitrate: measured.receiveBitrate,
    };
  }
}
