import type { BlurCamera, BlurProblem, CameraEffect } from './cameraEffect.ts';

/** The camera that is open, and what is laid over its picture. */
export class CameraLook {
  readonly #load: () => Promise<BlurCamera | null>;
  readonly #onProblem: (problem: BlurProblem) => void;
  #camera: MediaStreamTrack | null = null;
  #effect: CameraEffect | null = null;
  /** Who waits for something to load sees by this that it is not wanted any more. */
  #turn = 0;

  constructor(load: () => Promise<BlurCamera | null>, onProblem: (problem: BlurProblem) => void) {
    this.#load = load;
    this.#onProblem = onProblem;
  }

  /** The camera's own track, which tells when the camera is gone. */
  get camera(): MediaStreamTrack | null {
    return this.#camera;
  }

  /**
   * What is to be seen of a camera: its own picture where nothing is blurred, or where that fails, which is told first.
   * Null when it was closed, or shown in another way, meanwhile.
   */
  async show(camera: MediaStreamTrack, blurred: boolean): Promise<MediaStreamTrack | null> {
    const turn = (this.#turn += 1);
    this.#drop();
    if (this.#camera !== camera) this.#camera?.stop();
    this.#camera = camera;
    if (!blurred) return camera;
    try {
      const blur = await this.#load();
      const effect = await blur?.(camera, (problem) => turn === this.#turn && this.#broke(problem));
      if (turn !== this.#turn) {
        effect?.stop();
        return null;
      }
      this.#effect = effect ?? null;
      return effect?.track ?? camera;
    } catch {
      if (turn !== this.#turn) return null;
      this.#onProblem('failed');
      return camera;
    }
  }

  close(): void {
    this.#turn += 1;
    this.#drop();
    this.#camera?.stop();
    this.#camera = null;
  }

  #drop(): void {
    this.#effect?.stop();
    this.#effect = null;
  }

  #broke(problem: BlurProblem): void {
    this.#drop();
    this.#onProblem(problem);
  }
}
