import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formats } from '../audio/formats.ts';
import { JobRefused, type Job, type WorkerSettings } from './messages.ts';
import { runProgram } from './runProgram.ts';
import { readWav, resample, type Sound } from './wav.ts';

/** What ffmpeg may take at one go: no voice note needs as much, and what promises to be larger is a trap. */
const mostAtOnceBytes = 64 * 1024 * 1024;

/** Samples in a second, as recognisers of speech want them. */
export const sampleRate = 16_000;

/** Whatever was recorded as plain samples. WAV is read here, everything else by ffmpeg. */
export async function decodeAudio(job: Job, settings: WorkerSettings): Promise<Float32Array> {
  const { maxSeconds } = settings;
  const sound = (job.format === 'wav' ? readWav(job.bytes) : undefined) ?? (await decodeWithFfmpeg(job, settings));
  if (sound.samples.length > maxSeconds * sound.rate)
    throw new JobRefused('too_long', 'longer than its container told');
  const samples = resample(sound, sampleRate);
  if (samples.length === 0) throw new JobRefused('not_audio', 'there is no sound in it');
  return samples;
}

async function decodeWithFfmpeg(
  { bytes, format, folder }: Job,
  { ffmpeg, maxSeconds, environment }: WorkerSettings,
): Promise<Sound> {
  if (ffmpeg === undefined) throw new JobRefused('failed', `there is no ffmpeg for ${format}`);
  const { fileName, demuxer } = formats[format];
  const [from, to] = [join(folder, fileName), join(folder, 'decoded.wav')];
  // A file, for the index of some formats stands at the end; and only we may read it.
  await writeFile(from, bytes, { mode: 0o600 });
  const command = [ffmpeg, '-nostdin', '-hide_banner', '-loglevel', 'error', '-threads', '1'];
  // Told what it is and to read nothing but files, so that no playlist in disguise sends it anywhere.
  command.push(
    '-max_alloc',
    String(mostAtOnceBytes),
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
    // Started, it complains about the sound and nothing else.
    if (error instanceof JobRefused && /status/.test(error.message)) throw new JobRefused('not_audio', error.message);
    throw error;
  }
  const sound = readWav(await readFile(to));
  if (!sound) throw new JobRefused('not_audio', 'ffmpeg made no sound of it');
  return sound;
}
