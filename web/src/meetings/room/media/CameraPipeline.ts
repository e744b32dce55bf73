import type { BlurCamera, BlurProblem, CameraEffect } from './cameraEffect.ts';

/** Open camera, with any effect on its picture. */
export class CameraPipeline {
  readonly #load: () => Promise<BlurCamera | null>;
  readonly #onProblem: (problem: BlurProblem) => void;
  #camera: MediaStreamTrack | null = null;
  /** Clone of the camera's track, used only by the blur effect. */
  #source: MediaStreamTrack | null = null;
  #effect: CameraEffect | null = null;
  /** Increases with each change, so that pending loads can detect that they are obsolete. */
  #turn = 0;

  constructor(load: () => Promise<BlurCamera | null>, onProblem: (problem: BlurProblem) => void) {
    this.#load = load;
    this.#onProblem = onProblem;
  }

  /** Camera's own track, which reports when the camera disappears. */
  get camera(): MediaStreamTrack | null {
    return this.#camera;
  }

  /**
   * Returns the track to show for a camera. With `blurred`, the camera's own track goes dark for all its users. Rejects
   * if blurring fails. Resolves to null if the camera was closed or shown differently meanwhile.
   */
  async show(camera: MediaStreamTrack, blurred: boolean): Promise<MediaStreamTrack | null> {
    const turn = (this.#turn += 1);
    this.#drop();
    if (this.#camera !== camera) this.#camera?.stop();
    this.#camera = camera;
    camera.enabled = !blurred;
    if (!blurred) return camera;
    const source = camera.clone();
    source.enabled = true;
    this.#source = source;
    try {
      const blur = await this.#load();
      if (!blur) throw new Error('background blur is not available');
      const effect = await blur(source, (problem) => turn === this.#turn && this.#reportProblem(problem));
      if (turn === this.#turn) {
        this.#effect = effect;
        return effect.track;
      }
      effect.stop();
    } catch (error) {
      if (turn === this.#turn) throw error;
    }
    return null;
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
    this.#source?.stop();
    this.#source = null;
  }

  #reportProblem(problem: BlurProblem): void {
    if (problem === 'failed') this.#drop();
    this.#onProblem(problem);
  }
}
