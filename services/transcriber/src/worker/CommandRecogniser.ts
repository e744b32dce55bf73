import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recogniser } from './createRecogniser.ts';
import { sampleRate } from './decodeAudio.ts';
import type { WorkerSettings } from './messages.ts';
import { runProgram } from './runProgram.ts';
import { encodeWav } from './wav.ts';

const placeholder = '{file}';

/** Recognizer that runs a program which reads a WAV file and prints text. */
export class CommandRecogniser implements Recogniser {
  readonly #command: readonly string[];
  readonly #environment: WorkerSettings['environment'];

  constructor(command: readonly string[], environment: WorkerSettings['environment']) {
    this.#command = command.some((word) => word.includes(placeholder)) ? command : [...command, placeholder];
    this.#environment = environment;
  }

  async recognise(samples: Float32Array, folder: string): Promise<string> {
    const file = join(folder, 'voice16.wav');
    await writeFile(file, encodeWav({ samples, rate: sampleRate }), { mode: 0o600 });
    return await runProgram(
      this.#command.map((word) => word.replaceAll(placeholder, file)),
      { folder, environment: this.#environment },
    );
  }
}
