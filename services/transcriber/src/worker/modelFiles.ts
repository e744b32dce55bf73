import { basename, join } from 'node:path';

/** The part of sherpa-onnx's configuration that names a model. */
export type ModelConfig = Readonly<Record<string, unknown>>;

/** Picks the int8 file if there are several: equally good, and faster on CPUs. */
function pick(names: readonly string[], pattern: RegExp): string | undefined {
  const found = names.filter((name) => pattern.test(name)).sort();
  return found.find((name) => name.includes('int8')) ?? found[0];
}

/**
 * Detects the kind of model in a folder by the project's file names
 * (https://k2-fsa.github.io/sherpa/onnx/pretrained_models/index.html). Returns undefined if unknown.
 */
export function detectModelConfig(folder: string, names: readonly string[]): ModelConfig | undefined {
  const find = (pattern: RegExp) => {
    const name = pick(names, pattern);
    return name === undefined ? undefined : join(folder, name);
  };
  const tokens = find(/tokens\.txt$/);
  const encoder = find(/encoder.*\.onnx$/);
  const decoder = find(/decoder.*\.onnx$/);
  const joiner = find(/joiner.*\.onnx$/);
  const model = find(/^(?!.*(?:encode|decode|joiner|preprocess)).*\.onnx$/);
  if (tokens === undefined) return undefined;
  const kind = basename(folder).toLowerCase();
  const moonshine = {
    preprocessor: find(/preprocess.*\.onnx$/),
    encoder: find(/encode.*\.onnx$/),
    uncachedDecoder: find(/uncached_decode.*\.onnx$/),
    cachedDecoder: find(/^(?!.*uncached).*cached_decode.*\.onnx$/),
  };
  if (Object.values(moonshine).every((file) => file !== undefined)) return { tokens, moonshine };
  if (encoder !== undefined && decoder !== undefined && joiner !== undefined) {
    const modelType = /nemo|parakeet/.test(kind) ? { modelType: 'nemo_transducer' } : {};
    return { tokens, transducer: { encoder, decoder, joiner }, ...modelType };
  }
  if (encoder !== undefined && decoder !== undefined) return { tokens, whisper: { encoder, decoder } };
  if (model === undefined) return undefined;
  if (kind.includes('sense')) return { tokens, senseVoice: { model, useInverseTextNormalization: 1 } };
  if (kind.includes('paraformer')) return { tokens, paraformer: { model } };
  if (kind.includes('zipformer')) return { tokens, zipformerCtc: { model } };
  return { tokens, nemoCtc: { model } };
}
