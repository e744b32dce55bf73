import type { BlurCamera, BlurProblem, CameraEffect } from './cameraEffect.ts';

/** The camera that is open, and what is laid over its picture. */
export class CameraLook {
  readonly #load: () => Promise<BlurCamera | null>;
  readonly #onProblem: (problem: BlurProblem) => void;
  #camera: MediaStreamTrack | null = null;
  /** The camera once more, for nobody but what blurs it. */
  #source: MediaStreamTrack | null = null;
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
   * What is to be seen of a camera. Its own track is dark from now on where it is to be blurred, whoever has it. Rejects where it
   * cannot be. Null when it was closed, or shown in another way, meanwhile.
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
      if (!blur) throw new Error('there is nothing here that blurs');
      const effect = await blur(source, (problem) => turn === this.#turn && this.#tell(problem));
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

  #tell(problem: BlurProblem): void {
    if (problem === 'failed') this.#drop();
    this.#onProblem(problem);
  }
}
