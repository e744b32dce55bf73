import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { audioFormatFacts } from '../audio/formats.ts';
import { JobRefusedError, type TranscriptionJob, type WorkerSettings } from './messages.ts';
import { runProgram } from './runProgram.ts';
import { decodeWav, resample, type SampledSound } from './wav.ts';

/** Maximum size of a single allocation in ffmpeg. No voice note needs as much, and one that claims to is an attack. */
const maxAllocationBytes = 64 * 1024 * 1024;

/** Samples per second, as speech recognizers expect. */
export const sampleRate = 16_000;

/** Decodes any supported format to plain samples. WAV is read directly, everything else by ffmpeg. */
export async function decodeAudio(job: TranscriptionJob, settings: WorkerSettings): Promise<Float32Array> {
  const { maxSeconds } = settings;
  const sound = (job.format === 'wav' ? decodeWav(job.bytes) : undefined) ?? (await decodeWithFfmpeg(job, settings));
  if (sound.samples.length > maxSeconds * sound.rate)
    throw new JobRefusedError('too_long', 'longer than its container declares');
  const samples = resample(sound, sampleRate);
  if (samples.length === 0) throw new JobRefusedError('not_audio', 'no audio in the file');
  return samples;
}

async function decodeWithFfmpeg(
  { bytes, format, folder }: TranscriptionJob,
  { ffmpeg, maxSeconds, environment }: WorkerSettings,
): Promise<SampledSound> {
  if (ffmpeg === undefined) throw new JobRefusedError('failed', `ffmpeg is missing, which ${format} requires`);
  const { fileName, demuxer } = audioFormatFacts[format];
  const [from, to] = [join(folder, fileName), join(folder, 'decoded.wav')];
  // Written to a file, because some formats have their index at the end. Only this account can read it.
  await writeFile(from, bytes, { mode: 0o600 });
  const command = [ffmpeg, '-nostdin', '-hide_banner', '-loglevel', 'error', '-threads', '1'];
  // Fixes the format and permits only files, so that a disguised playlist cannot make ffmpeg fetch anything.
  command.push(
    '-max_alloc',
    String(maxAllocationBytes),
    '-protocol_whitelist',
    'file',
    '-f',
    demuxer,
    '-i',
    `file:${from}`,
  );
  command.push('-map', '0:a:0', '-vn', '-sn', '-dn', '-t', String(maxSeconds + 1));
  command.push('-ac', '1', '-ar', String(sampleRate), '-c:a', 'pcm_s16le', '-f', 'wav', `file:${to}`);
  try {
    await runProgram(command, { folder, environment });
  } catch (error) {
    // If ffmpeg started, its failure concerns the audio.
    if (error instanceof JobRefusedError && /status/.test(error.message))
      throw new JobRefusedError('not_audio', error.message);
    throw error;
  }
  const sound = decodeWav(await readFile(to));
  if (!sound) throw new JobRefusedError('not_audio', 'ffmpeg produced no audio');
  return sound;
}
